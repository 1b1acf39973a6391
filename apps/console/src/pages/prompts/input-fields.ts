import type { Schema } from '../../api/prompt-records.js';
import { propertiesOf } from './prompt-fields.js';

/** One property of a prompt's input, as a form asks for it. */
export interface InputField {
  name: string;
  description: string | undefined;
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';
  isRequired: boolean;
  choices: string[];
  /** Its default, as a text. */
  preset: string;
}

export function fieldsOf(schema: Schema): InputField[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const { description, enum: choices, default: preset } = typeof property === 'object' ? property : {};
    const kind = kindOf(typeof property === 'object' ? property : {});
    return {
      name,
      description: typeof description === 'string' ? description : undefined,
      kind,
      isRequired: required.includes(name),
      choices: kind === 'choice' ? (choices as string[]) : [],
      preset: preset === undefined ? '' : typeof preset === 'string' ? preset : JSON.stringify(preset, null, 2),
    };
  });
}

function kindOf({ type, enum: choices }: Schema): InputField['kind'] {
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) return 'choice';
  if (type === 'string') return 'text';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'json';
}

/** What a form's texts come to: an instance for the schema, or what is wrong by name. */
export interface ReadInput {
  value: Record<string, unknown>;
  faults: Record<string, string>;
}

/** Optional fields without a text are left out. */
export function readInput(fields: readonly InputField[], texts: Readonly<Record<string, string>>): ReadInput {
  const value: [string, unknown][] = [];
  const faults: [string, string][] = [];
  for (const field of fields) {
    const text = texts[field.name] ?? field.preset;
    if (text === '' && !(field.isRequired && field.kind === 'text')) continue;
    if (field.kind === 'text' || field.kind === 'choice') value.push([field.name, text]);
    else {
      const read = jsonIn(text);
      const fault = read ? faultOf(field, read.json) : NOT_READ[field.kind];
      if (fault === null) value.push([field.name, read?.json]);
      else faults.push([field.name, fault]);
    }
  }
  return { value: Object.fromEntries(value), faults: Object.fromEntries(faults) };
}

const NOT_READ = {
  integer: 'This has to be a whole number.',
  number: 'This has to be a number.',
  boolean: 'Choose true or false.',
  json: 'This is no JSON.',
} as const;

function faultOf({ kind }: InputField, value: unknown): string | null {
  if (kind === 'integer') return Number.isInteger(value) ? null : NOT_READ.integer;
  if (kind === 'number') return typeof value === 'number' ? null : NOT_READ.number;
  return null;
}

function jsonIn(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The instance in a text; `undefined` where it holds no JSON object. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text)?.json;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
