type Schema = Readonly<Record<string, unknown>>;

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

/** An object with the properties of a JSON schema, all of them or the required ones, to be filled in. */
export function skeletonOf(schema: Schema, which: 'all' | 'required' = 'all'): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const named = Object.keys(properties).filter((name) => which === 'all' || required.includes(name));
  return Object.fromEntries(
    named.map((name) => {
      const { default: preset, enum: choices, type } = properties[name] ?? {};
      const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
      return [name, preset ?? first ?? EMPTY[String(type)] ?? null];
    }),
  );
}
