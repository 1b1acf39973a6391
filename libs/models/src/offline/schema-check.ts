import { Ajv } from 'ajv';
import { RE2JS } from 're2js';
import { isJsonObject } from '@millwright/json';

export type Schema = Readonly<Record<string, unknown>>;

const maps = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas']);
const payloads = new Set(['const', 'enum', 'default', 'examples']);
const identifiers = new Set(['$id', 'id', '$schema']);

/** Makes local references point to `root`, so that a part of the schema can be checked alone. */
function anchor(schema: object): object;
function anchor(schema: unknown): unknown;
function anchor(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(anchor);
  if (!isJsonObject(schema)) return schema;
  const keywords = Object.entries(schema).filter(([keyword]) => !identifiers.has(keyword));
  return Object.fromEntries(
    keywords.map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string') return [keyword, `root${value}`];
      if (payloads.has(keyword)) return [keyword, value];
      if (maps.has(keyword) && isJsonObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, anchor(member)]))];
      }
      return [keyword, anchor(value)];
    }),
  );
}

/** Runs patterns in linear time, because users write the schemas. */
const linearTime = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text: string) => compiled.matcher(text).find() };
  },
  { code: '' },
);

/** Whether a value is valid against the root schema or any part of it. A part that cannot be compiled accepts nothing. */
export function createCheck(root: object): (schema: unknown, value: unknown) => boolean {
  const ajv = new Ajv({
    strict: false,
    logger: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    code: { regExp: linearTime },
  });
  ajv.addSchema(anchor(root), 'root');
  const compiled = new Map<unknown, (value: unknown) => boolean>();

  function compile(schema: unknown): (value: unknown) => boolean {
    try {
      return ajv.compile(anchor(schema) as object);
    } catch {
      return () => false;
    }
  }

  return (schema, value) => {
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    return known(value);
  };
}
