import { isJsonObject } from '@millwright/json';
import { propertiesOf, type Schema } from '../../api/json-schema.js';

export const ROW_TYPES = {
  string: 'Text',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Yes or no',
  choice: 'One of',
  list: 'Texts',
} as const;
export type RowType = keyof typeof ROW_TYPES;

/** A property of a schema as a row of a form. */
export interface SchemaRow {
  name: string;
  type: RowType;
  isRequired: boolean;
  description: string;
  /** Allowed values of a property of the type `choice`. */
  choices: string[];
  /** Keywords of the property for which the form has no input, such as `default`. */
  rest: Schema;
}

const OWN = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** Returns the properties of a schema as rows; undefined for a schema that rows cannot express. */
export function rowsOf(schema: Schema): SchemaRow[] | undefined {
  if (Object.keys(schema).length === 0) return [];
  if (schema['type'] !== 'object' || Object.keys(schema).some((keyword) => !OWN.has(keyword))) return undefined;
  if (schema['properties'] !== undefined && !isJsonObject(schema['properties'])) return undefined;
  const properties = propertiesOf(schema);
  const names = new Set(properties.map(({ name }) => name));
  const { required = [] } = schema;
  if (!Array.isArray(required) || required.some((name) => !names.has(String(name)))) return undefined;
  const rows = properties.map(({ name, schema: property, isRequired }) => {
    const { type, enum: choices, items, description = '', ...rest } = property;
    const found = typeOf(type, choices, items);
    return found === undefined || typeof description !== 'string'
      ? undefined
      : {
          name,
          type: found,
          isRequired,
          description,
          choices: Array.isArray(choices) ? choices.map(String) : [],
          rest,
        };
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function typeOf(type: unknown, choices: unknown, items: unknown): RowType | undefined {
  if (choices !== undefined) {
    const isText = type === undefined || type === 'string';
    return isText && items === undefined && Array.isArray(choices) && choices.every((one) => typeof one === 'string')
      ? 'choice'
      : undefined;
  }
  if (type === 'array') return JSON.stringify(items) === '{"type":"string"}' ? 'list' : undefined;
  if (items !== undefined) return undefined;
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined;
}

const KEYWORDS: Readonly<Record<RowType, (row: SchemaRow) => Schema>> = {
  string: () => ({ type: 'string' }),
  integer: () => ({ type: 'integer' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  choice: ({ choices }) => ({ type: 'string', enum: choices }),
  list: () => ({ type: 'array', items: { type: 'string' } }),
};

/** Replaces the properties of a schema by these rows; its other keywords are kept. Rows without a name are left out. */
export function withRows(schema: Schema, rows: readonly SchemaRow[]): Schema {
  const named = rows.filter(({ name }) => name.trim() !== '');
  const properties = named.map((row) => [
    row.name.trim(),
    { ...KEYWORDS[row.type](row), ...(row.description !== '' && { description: row.description }), ...row.rest },
  ]);
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name.trim());
  const { additionalProperties } = schema;
  if (named.length === 0 && additionalProperties === undefined) return {};
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

/**
 * Returns the faults of rows by their index. Names may have only letters, digits and "_", because tokens cannot contain other characters.
 */
export function rowFaults(rows: readonly SchemaRow[]): Record<number, string> {
  const faults = rows.map(({ name, type, choices }, index): [number, string | undefined] => {
    const trimmed = name.trim();
    if (trimmed === '') return [index, 'Enter a name.'];
    if (!/^\w+$/.test(trimmed)) return [index, 'Use letters, digits and "_".'];
    if (rows.findIndex((other) => other.name.trim() === trimmed) < index) return [index, 'This name is used above.'];
    return [index, type === 'choice' && choices.length === 0 ? 'Add a value.' : undefined];
  });
  return Object.fromEntries(faults.filter((fault): fault is [number, string] => fault[1] !== undefined));
}

export const EMPTY_ROW: SchemaRow = {
  name: '',
  type: 'string',
  isRequired: true,
  description: '',
  choices: [],
  rest: {},
};
