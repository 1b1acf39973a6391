import { propertiesOf, type Schema } from '../api/json-schema.js';

/** A form field for one property of an object schema. */
export interface InputField {
  name: string;
  description: string | undefined;
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';
  isRequired: boolean;
  choices: string[];
  /** Default value as text. */
  preset: string;
}

export function fieldsOf(schema: Schema): InputField[] {
  return propertiesOf(schema).map(({ name, schema: property, isRequired }) => {
    const { description, enum: choices, default: preset } = property;
    const kind = kindOf(property);
    return {
      name,
      description: typeof description === 'string' ? description : undefined,
      kind,
      isRequired,
      choices: kind === 'choice' && Array.isArray(choices) ? choices.map(String) : [],
      preset: preset === undefined ? '' : typeof preset === 'string' ? preset : JSON.stringify(preset, null, 2),
    };
  });
}

function kindOf({ type, enum: choices }: Schema): InputField['kind'] {
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) return 'choice';
  if (type === 'string') return 'text';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'json';
}

/** The parsed values of a form, and the faults of invalid values by the name of the field. */
export interface ReadInput {
  value: Record<string, unknown>;
  faults: Record<string, string>;
}

/** Parses the fields. Empty optional fields are left out. */
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
  json: 'Invalid JSON.',
} as const;

function faultOf({ kind }: InputField, value: unknown): string | null {
  if (kind === 'integer') return Number.isInteger(value) ? null : NOT_READ.integer;
  if (kind === 'number') return typeof value === 'number' ? null : NOT_READ.number;
  return null;
}

function jsonIn(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
