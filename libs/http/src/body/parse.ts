import { isStorable } from '@millwright/db';
import { AppError, type FieldFault } from '@millwright/errors';
import { z } from 'zod';

/**
 * Fields that only the server sets. Values of these fields in bodies are ignored, so that clients may send back fields
 * that they have read.
 */
const SERVER_OWNED = ['id', 'created_at', 'updated_at', 'author', 'owner', 'project'];

type Part = 'body' | 'query' | 'header' | 'path';

/**
 * Parses one part of a request.
 *
 * @throws AppError validation_error for invalid fields. The error names each of them; a name begins with `part`, unless the part is the
 *   body.
 */
export function parsePart<Schema extends z.ZodObject>(schema: Schema, input: unknown, part: Part): z.output<Schema> {
  const given = part === 'body' ? withoutServerOwned(schema, input) : input;
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, MAX_FAULTS).flatMap((issue) => faults(issue, part, given));
  throw new AppError('validation_error', { fields: fields.slice(0, MAX_FAULTS) });
}

/**
 * Parses fields that did not arrive as JSON, by the same rules as a JSON body.
 *
 * @throws AppError validation_error for invalid fields, each of which the error names; payload_too_large for values that are nested too
 *   deeply.
 */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, fields: object): z.output<Schema> {
  guardTree(fields);
  return parsePart(schema, fields, 'body');
}

/** Maximum number of faults in an answer, so that the answer is no larger than its request. */
const MAX_FAULTS = 20;
const MAX_NAME_LENGTH = 200;

function withoutServerOwned(schema: z.ZodObject, input: unknown): unknown {
  // Nothing is removed for a schema that accepts every field: for such a schema, these names are ordinary fields.
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
      .map((key) => ({ field: name([...path, key]), reason: 'is an unknown field' }));
  }
  const inner = issue.code === 'invalid_union' ? meantFaults(issue, part, input) : undefined;
  return inner ?? [{ field: name(path), reason: isAbsent(input, issue.path) ? 'is required' : reason(issue) }];
}

/**
 * When exactly one form of a union fits the value, returns the faults of the value in that form, for example the faults of one wrong item
 * in a list. Returns undefined when several forms or no form fit, or when one of these faults has no message; the caller then reports one
 * fault for the whole union.
 */
function meantFaults(issue: z.core.$ZodIssueInvalidUnion, part: Part, input: unknown): FieldFault[] | undefined {
  const value = valueAt(input, issue.path);
  const [meant, other] = issue.errors.filter((issues) => issues.every((one) => isInner(one, value)));
  if (!meant || other) return undefined;
  const found = meant.flatMap((one) => faults({ ...one, path: [...issue.path, ...one.path] }, part, input));
  return found.some((fault) => fault.reason === NO_REASON) ? undefined : found;
}

/**
 * Whether a value can have a certain form of a union in spite of a fault. It cannot when a field is missing, or when a constant of the form
 * has another value.
 */
const isInner = ({ code, path }: z.core.$ZodIssue, value: unknown): boolean =>
  path.length > 1 || (path.length === 1 && code !== 'invalid_value' && !isAbsent(value, path));

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

const isAbsent = (input: unknown, path: readonly PropertyKey[]): boolean => valueAt(input, path) === undefined;

const NO_REASON = 'is not valid';

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
  // Replaces the general message of zod for a union whose schema states no message.
  if (issue.code === 'invalid_union' && PLAIN_UNION.test(issue.message))
    return 'options' in issue && issue.options ? `must be one of ${issue.options.map(String).join(', ')}` : NO_REASON;
  return issue.code === 'custom' || issue.code === 'invalid_union' ? issue.message : NO_REASON;
}

/** The texts of zod for a union whose schema states no message. */
const PLAIN_UNION = /^Invalid (?:input$|discriminator value)/;

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array') return ' entries';
  return '';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/**
 * Returns the query parameters, each of which must have one value.
 * @throws AppError validation_error for a repeated parameter.
 */
export function singleValues(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const repeated = Object.keys(query).filter((name) => typeof query[name] !== 'string');
  if (repeated.length > 0) {
    throw new AppError('validation_error', {
      fields: repeated.slice(0, MAX_FAULTS).map((field) => ({ field, reason: 'must be given once' })),
    });
  }
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const bad = entries.find(([, value]) => !isStorable(value));
  if (bad) throw new AppError('validation_error', { fields: [{ field: bad[0], reason: UNSTORABLE }] });
  return Object.fromEntries(entries);
}

const UNSTORABLE = 'must be well-formed text without NUL characters';

/** Maximum levels of nesting in JSON. */
const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses bodies that are nested too deeply, have keys that reach into prototypes, or contain text that cannot be stored.
 *
 * @throws AppError payload_too_large for a body that is nested too deeply; validation_error for a forbidden key or text, with the name of
 *   the field.
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
