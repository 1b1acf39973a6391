/** A JSON Schema of an OpenAPI document, with the members that this folder reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  'x-events'?: Record<string, Schema>;
}

export interface Answer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  parameters: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}

/** The parts of a document that are named, described and given examples. */
export interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export const operationsOf = ({ paths }: Described): Operation[] =>
  Object.values(paths).flatMap(Object.values<Operation>);

/** The schemas directly inside a schema. Each comes with the name of the field that has it, or with `undefined`. */
export function partsOf(schema: Schema): [name: string | undefined, part: Schema][] {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [], items, additionalProperties } = schema;
  return [
    ...Object.entries(properties),
    ...[...anyOf, ...oneOf, ...allOf].map((part): [undefined, Schema] => [undefined, part]),
    ...(items ? [[undefined, items] as [undefined, Schema]] : []),
    ...(typeof additionalProperties === 'object' ? [[undefined, additionalProperties] as [undefined, Schema]] : []),
  ];
}

/** A copy of a schema in which `change` has replaced each schema that is directly inside. */
export function mapParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const { properties, anyOf, oneOf, allOf, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])),
    }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
    ...(allOf && { allOf: allOf.map(change) }),
    ...(items && { items: change(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
  };
}

/** The media of an operation's body and answers. */
export function mediaOf({ requestBody, responses }: Operation): Media[] {
  return [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
}

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns the schema that a reference names, together with the other members of the reference. Any other schema is
 * returned unchanged.
 */
export function followRef(schemas: Record<string, Schema>, schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  const found = name === undefined ? undefined : schemas[name];
  if (!found) return schema;
  const own = { ...schema };
  delete own.$ref;
  return { ...found, ...own };
}

/** A copy of a document in which every reference to a schema is replaced by the schema. */
export function inlineSchemas<Document>(document: Document): Document {
  const { schemas = {} } = (document as { components?: { schemas?: Record<string, Schema> } }).components ?? {};
  const inline = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const found = typeof (value as Schema).$ref === 'string' ? followRef(schemas, value) : value;
    return Object.fromEntries(Object.entries(found).map(([name, part]) => [name, inline(part)]));
  };
  return inline(document) as Document;
}
