import { Ajv } from 'ajv';
import { isJsonObject, type JsonObject } from '@millwright/json';
import { faultsOf } from './ajv-faults.js';
import { LONGEST_PATTERN, PATTERN_BUDGET, patternCost, patternFault } from './pattern.js';
import { MOST_FAULTS, type SchemaFault } from './schema-fault.js';
import { isInPlace, localPointer, pointerTo, walkSchema, withoutKeywords } from './walk-schema.js';
import type { SchemaPath, Subschema } from './walk-schema.js';

export const LARGEST_SCHEMA_BYTES = 64 * 1024;
export const MOST_SCHEMA_VALUES = 2000;
export const DEEPEST_SCHEMA = 32;

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const ajv = new Ajv({ strict: false, logger: false });

const fault = (path: SchemaPath, reason: string): SchemaFault => ({ path: path.join('.'), reason });

const isPlainObject = (value: object) => Object.prototype.toString.call(value) === '[object Object]';

/** Returns the first reason why a value is not a JSON document of limited size. The check ends at this reason, so that its cost is limited. */
function sizeFault(root: unknown): SchemaFault | undefined {
  let values = 0;
  const visit = (value: unknown, path: SchemaPath): SchemaFault | undefined => {
    values += 1;
    if (values + (Array.isArray(value) ? value.length : 0) > MOST_SCHEMA_VALUES)
      return fault([], `has more than ${MOST_SCHEMA_VALUES} values`);
    if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)) return undefined;
    if (typeof value !== 'object' || !(Array.isArray(value) || isPlainObject(value))) return fault(path, 'is not JSON');
    if (path.length >= DEEPEST_SCHEMA) return fault([], `is nested more than ${DEEPEST_SCHEMA} deep`);
    for (const [key, member] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) return fault([...path, key], 'is not allowed as a name');
      const found = visit(member, [...path, key]);
      if (found) return found;
    }
    return undefined;
  };
  return visit(root, []);
}

/** Returns every pattern of one schema with its path: the value of `pattern` and the keys of `patternProperties`. */
function patternsOf({ schema, path }: Subschema): [SchemaPath, string][] {
  const { pattern, patternProperties } = schema;
  const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  const own: [SchemaPath, string][] = typeof pattern === 'string' ? [[[...path, 'pattern'], pattern]] : [];
  return [...own, ...keys.map((key): [SchemaPath, string] => [[...path, 'patternProperties', key.slice(0, 40)], key])];
}

function patternFaults(parts: readonly Subschema[]): SchemaFault[] {
  const patterns = parts.flatMap(patternsOf);
  const tooLong = patterns.filter(([, pattern]) => pattern.length > LONGEST_PATTERN);
  if (tooLong.length > 0) return tooLong.map(([path]) => fault(path, `is longer than ${LONGEST_PATTERN} characters`));
  let cost = 0;
  const dear = patterns.find(([, pattern]) => (cost += patternCost(pattern)) > PATTERN_BUDGET);
  if (dear) return [fault(dear[0], 'makes the patterns too expensive: repeat less or use fewer')];
  return patterns.flatMap(([path, pattern]) => {
    const reason = patternFault(pattern);
    return reason === undefined ? [] : [fault(path, reason)];
  });
}

function identityFaults({ schema, path }: Subschema): SchemaFault[] {
  const faults: SchemaFault[] = [];
  if (path.length > 0 && schema.$id !== undefined) faults.push(fault([...path, '$id'], 'is allowed at the top only'));
  if (schema.$async !== undefined) faults.push(fault([...path, '$async'], 'is not supported'));
  if (typeof schema.$schema === 'string' && !DRAFT_07.test(schema.$schema)) {
    faults.push(fault([...path, '$schema'], 'must be "http://json-schema.org/draft-07/schema#"'));
  }
  return faults;
}

function referenceFaults(parts: readonly Subschema[]): SchemaFault[] {
  const places = new Set(parts.map(({ path }) => pointerTo(path)));
  return parts.flatMap(({ schema: { $ref }, path }) => {
    if (typeof $ref !== 'string') return [];
    const pointer = localPointer($ref);
    if (pointer === undefined) return [fault([...path, '$ref'], 'must be local: "#" or "#/…"')];
    return places.has(pointer) ? [] : [fault([...path, '$ref'], 'must point to a schema inside this one')];
  });
}

/** Finds schemas that refer to themselves for the same value. Their validation would never end. */
function cycleFaults(parts: readonly Subschema[]): SchemaFault[] {
  const byPointer = new Map(parts.map((part) => [pointerTo(part.path), part]));
  const state = new Map<Subschema, 'open' | 'closed'>();
  const nextOf = ({ schema, children }: Subschema) => [
    ...children.filter(({ keyword }) => isInPlace(keyword)).map(({ path }) => pointerTo(path)),
    ...(typeof schema.$ref === 'string' ? [localPointer(schema.$ref) ?? ''] : []),
  ];
  const closesCycle = (part: Subschema): boolean => {
    if (state.has(part)) return state.get(part) === 'open';
    state.set(part, 'open');
    const found = nextOf(part).some((pointer) => {
      const next = byPointer.get(pointer);
      return next !== undefined && closesCycle(next);
    });
    state.set(part, 'closed');
    return found;
  };
  const start = parts.find(closesCycle);
  return start ? [fault(start.path, 'refers to itself without going into a part of the value')] : [];
}

function metaFaults(schema: JsonObject): SchemaFault[] {
  return ajv.validateSchema(withoutKeywords(schema, '$schema')) === true ? [] : faultsOf(ajv.errors);
}

/**
 * Checks whether a user's schema may be stored. It must be a draft-07 object of limited size that refers only to
 * itself, and whose patterns match in linear time. `format` is an annotation and is not checked. The check takes a few
 * milliseconds at most.
 */
export function checkSchema(schema: unknown): SchemaFault[] {
  if (!isJsonObject(schema)) return [fault([], 'must be an object')];
  const oversized = sizeFault(schema);
  if (oversized) return [oversized];
  if (Buffer.byteLength(JSON.stringify(schema)) > LARGEST_SCHEMA_BYTES) {
    return [fault([], `is larger than ${LARGEST_SCHEMA_BYTES / 1024} KiB`)];
  }
  const parts = [...walkSchema(schema)];
  const checks = [
    () => parts.flatMap(identityFaults),
    () => metaFaults(schema),
    () => referenceFaults(parts),
    () => cycleFaults(parts),
    () => patternFaults(parts),
  ];
  for (const check of checks) {
    const faults = check();
    if (faults.length > 0) return faults.slice(0, MOST_FAULTS);
  }
  return [];
}
