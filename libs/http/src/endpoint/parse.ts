import { isStorable } from '@millwright/db';
import { AppError, type FieldFault } from '@millwright/errors';
import { z } from 'zod';

/** Accepted from a client that sends back what it read, and ignored (decisions §1). */
const SERVER_OWNED = ['id', 'created_at', 'updated_at', 'author', 'owner', 'project'];

type Part = 'body' | 'query' | 'header' | 'path';

/**
 * Parses one part of a request.
 *
 * @throws AppError validation_error naming every field at fault, prefixed by `part` unless that is the body.
 */
export function parsePart(schema: z.ZodObject, input: unknown, part: Part): unknown {
  const given = part === 'body' ? withoutServerOwned(schema, input) : input;
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, MAX_FAULTS).flatMap((issue) => faults(issue, part, given));
  throw new AppError('validation_error', { fields: fields.slice(0, MAX_FAULTS) });
}

/**
 * Fields that did not come as a JSON body, by the rules of one.
 *
 * @throws AppError validation_error naming every field at fault, payload_too_large.
 */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, fields: object): z.output<Schema> {
  guardTree(fields);
  return parsePart(schema, fields, 'body') as z.output<Schema>;
}

/** A megabyte of faults is told of by its first ones, so that no answer is larger than its request. */
const MAX_FAULTS = 20;
const MAX_NAME_LENGTH = 200;

function withoutServerOwned(schema: z.ZodObject, input: unknown): unknown {
  // Where every field is taken, none is ours.
  if (schema.def.catchall instanceof z.ZodUnknown) return input;
  const unknownHere = SERVER_OWNED.filter((field) => !(field in schema.shape));
  return Object.fromEntries(Object.entries(input as object).filter(([field]) => !unknownHere.includes(field)));
}

function faults(issue: z.core.$ZodIssue, part: Part, input: unknown): FieldFault[] {
  const path = issue.path.map(String);
  const name = (parts: string[]) => parts.join('.').slice(0, MAX_NAME_LENGTH) || part;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_FAULTS)
      .map((key) => ({ field: name([...path, key]), reason: 'is not a known field' }));
  }
  return [{ field: name(path), reason: isAbsent(input, issue.path) ? 'is required' : reason(issue) }];
}

function isAbsent(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value === undefined;
}

function reason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum === 1 && unit(issue.origin) !== '') return 'must not be empty';
  if (issue.code === 'too_small')
    return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}${unit(issue.origin)}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit(issue.origin)}`;
  if (issue.code === 'invalid_key') return 'is not allowed as a name';
  if (issue.code === 'invalid_format' && issue.format === 'regex')
    return `must match ${issue.pattern ?? 'its pattern'}`;
  if (issue.code === 'invalid_format') return `is not a valid ${issue.format}`;
  if (issue.code === 'custom') return issue.message;
  return 'is not valid';
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array') return ' entries';
  return '';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Query parameters as one value each. @throws AppError validation_error for a repeated one. */
export function singleValues(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const repeated = Object.keys(query).filter((name) => typeof query[name] !== 'string');
  if (repeated.length > 0) {
    throw new AppError('validation_error', {
      fields: repeated.slice(0, MAX_FAULTS).map((field) => ({ field, reason: 'must be given once' })),
    });
  }
  const entries = Object.entries(query as Record<string, string>);
  const bad = entries.find(([, value]) => !isStorable(value));
  if (bad) throw new AppError('validation_error', { fields: [{ field: bad[0], reason: UNSTORABLE }] });
  return Object.fromEntries(entries);
}

const UNSTORABLE = 'must be well-formed text without NUL characters';

/** JSON may nest this deep (decisions §1). */
const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses bodies that are too deep, carry keys that reach into prototypes, or hold text that cannot be stored.
 *
 * @throws AppError payload_too_large or validation_error naming the field.
 */
export function guardTree(body: unknown): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 1 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      if (!isStorable(value)) throw fault(path, UNSTORABLE);
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) throw new AppError('payload_too_large');
      for (const [key, child] of Object.entries(value)) {
        const childPath = path === '' ? key : `${path}.${key}`;
        if (FORBIDDEN_KEYS.has(key)) throw fault(childPath, 'is not allowed as a name');
        if (!isStorable(key)) throw fault(path, UNSTORABLE);
        stack.push({ value: child, path: childPath, depth: depth + 1 });
      }
    }
  }
}

function fault(path: string, reason: string): AppError {
  return new AppError('validation_error', { fields: [{ field: path.slice(0, MAX_NAME_LENGTH) || 'body', reason }] });
}
