import { propertiesOf, type Schema } from '../../api/json-schema.js';

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

/** A template object with all properties of a JSON schema, or only the required properties. */
export function skeletonOf(schema: Schema, which: 'all' | 'required' = 'all'): Record<string, unknown> {
  const wanted = propertiesOf(schema).filter(({ isRequired }) => which === 'all' || isRequired);
  return Object.fromEntries(
    wanted.map(({ name, schema: { default: preset, enum: choices, type } }) => {
      const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
      return [name, preset ?? first ?? EMPTY[String(type)] ?? null];
    }),
  );
}
