interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
}
interface Content {
  content?: Record<string, { schema?: Schema; example?: unknown; 'x-events'?: Record<string, Schema> }>;
}
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; description?: string; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}
interface Document {
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, Operation>>;
}

/** Media types whose content is more than one value, so that no example is needed. */
const SEVERAL_VALUES = /^(text\/event-stream|multipart\/form-data|\*\/\*)$/;

/**
 * Finds the parts of a document that have no description: tags, operations, parameters, fields, and bodies without an
 * example. The document must contain no references.
 */
export function descriptionFaults({ tags = [], paths = {} }: Document): string[] {
  const described = new Set(tags.filter(({ description }) => description).map(({ name }) => name));
  const faults = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operationFaults(operation, described));
  return [...new Set(faults)];
}

function operationFaults(operation: Operation, tags: ReadonlySet<string>): string[] {
  const { operationId = '', summary, description, parameters = [], requestBody, responses = {} } = operation;
  const media = [requestBody, ...Object.values(responses)].flatMap((part) => Object.entries(part?.content ?? {}));
  return [
    ...(summary && !summary.endsWith('.')
      ? []
      : [`${operationId}: its summary is not one sentence without a full stop`]),
    ...(description ? [] : [`${operationId}: has no description`]),
    ...(operation.tags ?? []).filter((tag) => !tags.has(tag)).map((tag) => `the tag ${tag} has no description`),
    ...parameters
      .filter((parameter) => !parameter.description)
      .map(({ name }) => `${operationId}: the parameter ${name} has no description`),
    ...media.flatMap(([type, { schema, example, 'x-events': events = {} }]) => [
      ...(example === undefined && !SEVERAL_VALUES.test(type) ? [`${operationId}: ${type} has no example`] : []),
      ...[...(schema ? [schema] : []), ...Object.values(events)].flatMap((part) => fieldFaults(part, operationId)),
    ]),
  ];
}

function fieldFaults(schema: Schema, owner: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  const parts = [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf];
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${owner}: the field ${name} has no description`]),
      ...fieldFaults(property, `${owner}.${name}`),
    ]),
    ...parts.flatMap((part) => fieldFaults(part, owner)),
  ];
}
