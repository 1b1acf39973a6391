import { isJsonObject } from '@millwright/json';
/**
 * OpenAI's strict mode forces a model to follow a schema, but accepts only a part of JSON Schema. Every object must forbid additional
 * properties, and every property must be required. https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */

type Schema = Readonly<Record<string, unknown>>;

export interface StrictSchema {
  schema: object;
  /**
   * Whether answers are valid against the original schema without a change. Otherwise, `restore` must remove optional
   * properties that are null.
   */
  exact: boolean;
  /** Converts the JSON of an answer to the form of the original schema. Any other text stays unchanged. */
  restore: (text: string) => string;
}

class NotStrict extends Error {}

/** Keywords that do not affect validity. Strict mode refuses some of them. */
const dropped = new Set(['$schema', '$id', '$comment', 'default', 'examples', 'readOnly', 'writeOnly', 'deprecated']);
/** Keywords of objects, which are rewritten together. */
const ofObjects = new Set(['properties', 'required', 'additionalProperties']);
const keptAsIs = new Set([
  ...['title', 'description', 'type', 'enum', 'const', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
const localRef = /^#(\/(\$defs|definitions)\/[^/~%]+)?$/;
const maxDepth = 10;
const maxProperties = 5_000;

const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : type === undefined ? [] : [type]);

function resolver(root: Schema) {
  return (schema: Schema): Schema => {
    let current = schema;
    for (let hops = 0; typeof current.$ref === 'string'; hops += 1) {
      const [, container, name] = current.$ref.split('/');
      const definitions = container === undefined ? undefined : root[container];
      const next = container === undefined ? root : isJsonObject(definitions) ? definitions[name ?? ''] : undefined;
      if (!isJsonObject(next) || hops > 20) throw new NotStrict();
      current = next;
    }
    return current;
  };
}

function requiredOf({ required = [] }: Schema): unknown[] {
  if (!Array.isArray(required)) throw new NotStrict();
  return required;
}

const isNullOnly = (schema: Schema) => schema.type === 'null' || schema.const === null;

function rewriter(root: Schema) {
  const resolve = resolver(root);
  let properties = 0;
  let hasNullables = false;
  let hasUnions = false;

  function admitsNull(schema: Schema): boolean {
    const { enum: values, anyOf, ...rest } = resolve(schema);
    if (Array.isArray(anyOf)) return anyOf.some((branch) => isJsonObject(branch) && admitsNull(branch));
    if (Array.isArray(values) && !values.includes(null)) return false;
    return isNullOnly(rest) || typesOf(rest).includes('null') || (Array.isArray(values) && rest.type === undefined);
  }

  function rewriteObject(schema: Schema, depth: number): object {
    const { properties: members, additionalProperties } = schema;
    if (!isJsonObject(members) || (additionalProperties !== undefined && additionalProperties !== false))
      throw new NotStrict();
    const required = requiredOf(schema);
    const names = Object.keys(members);
    properties += names.length;
    if (properties > maxProperties || required.some((name) => !names.includes(String(name)))) throw new NotStrict();
    const rewritten = Object.entries(members).map(([name, member]): [string, object] => {
      const strict = rewrite(member, depth + 1);
      if (required.includes(name) || (isJsonObject(member) && admitsNull(member))) return [name, strict];
      hasNullables = true;
      return [name, { anyOf: [strict, { type: 'null' }] }];
    });
    return { properties: Object.fromEntries(rewritten), required: names, additionalProperties: false };
  }

  function rewriteUnion(branches: unknown, depth: number): object[] {
    if (!Array.isArray(branches)) throw new NotStrict();
    hasUnions ||= branches.filter((branch) => isJsonObject(branch) && !isNullOnly(branch)).length > 1;
    return branches.map((branch) => rewrite(branch, depth));
  }

  function rewriteDefinitions(definitions: unknown): object {
    if (!isJsonObject(definitions)) throw new NotStrict();
    return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, rewrite(schema, 1)]));
  }

  function rewriteKeyword(keyword: string, value: unknown, depth: number): object {
    if (keptAsIs.has(keyword)) return { [keyword]: value };
    if (keyword === 'anyOf') return { anyOf: rewriteUnion(value, depth) };
    if (keyword === 'items') return { items: rewrite(value, depth + 1) };
    if (keyword === 'format' && formats.has(String(value))) return { format: value };
    if ((keyword === '$defs' || keyword === 'definitions') && depth === 0)
      return { [keyword]: rewriteDefinitions(value) };
    throw new NotStrict();
  }

  function rewrite(schema: unknown, depth: number): object {
    if (!isJsonObject(schema) || depth > maxDepth) throw new NotStrict();
    const { $ref } = schema;
    const keywords = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword) && !ofObjects.has(keyword));
    if ($ref !== undefined) {
      if (typeof $ref !== 'string' || !localRef.test($ref) || keywords.length > 1) throw new NotStrict();
      resolve(schema);
      return { $ref };
    }
    const types = typesOf(schema);
    if (types.length === 0 && !['enum', 'const', 'anyOf'].some((keyword) => keyword in schema)) throw new NotStrict();
    if (types.includes('array') && !('items' in schema)) throw new NotStrict();
    if (!types.includes('object') && 'properties' in schema) throw new NotStrict();
    return Object.assign(
      {},
      ...keywords.map(([keyword, value]) => rewriteKeyword(keyword, value, depth)),
      types.includes('object') ? rewriteObject(schema, depth) : {},
    ) as object;
  }

  function restoreMembers(value: object, schema: Schema): object {
    const members = isJsonObject(schema.properties) ? schema.properties : {};
    const required = requiredOf(schema);
    const kept = Object.entries(value).flatMap(([name, item]: [string, unknown]): [string, unknown][] => {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!isJsonObject(member)) return [[name, item]];
      if (item === null && !required.includes(name) && !admitsNull(member)) return [];
      return [[name, restore(item, member)]];
    });
    return Object.fromEntries(kept);
  }

  function restore(value: unknown, schemaOrRef: Schema): unknown {
    const schema = resolve(schemaOrRef);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(schema.anyOf)) {
      const branch = (schema.anyOf as Schema[]).find((candidate) => !isNullOnly(candidate));
      return branch ? restore(value, branch) : value;
    }
    if (Array.isArray(value))
      return value.map((item: unknown) => (isJsonObject(schema.items) ? restore(item, schema.items) : item));
    return restoreMembers(value, schema);
  }

  return {
    rewrite(): StrictSchema {
      if (root.type !== 'object' || 'anyOf' in root) throw new NotStrict();
      const schema = rewrite(root, 0);
      // With several alternatives (`anyOf`), `restore` cannot determine to which of them a null belongs.
      if (hasNullables && hasUnions) throw new NotStrict();
      return { schema, exact: !hasNullables, restore: (text) => (hasNullables ? restoreText(text) : text) };
    },
  };

  function restoreText(text: string): string {
    try {
      const answer: unknown = JSON.parse(text);
      return JSON.stringify(restore(answer, root));
    } catch {
      return text;
    }
  }
}

/**
 * Converts a schema for strict mode, and makes a function that converts answers back. Every converted answer is valid against the original
 * schema. Objects that allow additional properties by default forbid them in strict mode. Returns undefined when strict mode cannot express
 * the schema.
 */
export function toStrictSchema(schema: object): StrictSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  try {
    return rewriter(schema).rewrite();
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}
