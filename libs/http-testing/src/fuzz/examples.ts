import type { ApiDocument, Content, Schema } from '@millwright/http/reference';

/**
 * Example values. A key is the name of a field, `{name}` for a path parameter, or an operationId for the whole request
 * body.
 */
export type Examples = Readonly<Record<string, readonly unknown[]>>;

/** Returns the document with the examples inserted at all places that have the name of an example. */
export function withExamples(document: ApiDocument, examples: Examples): ApiDocument {
  const copy = structuredClone(document);
  visit(copy, examples);
  return copy;
}

/** A part of the document: a schema, a parameter or an operation. */
interface Part {
  properties?: Record<string, Schema>;
  in?: unknown;
  name?: string;
  schema?: Schema;
  operationId?: string;
  requestBody?: { content?: Content };
}

function visit(part: unknown, examples: Examples): void {
  if (typeof part !== 'object' || part === null) return;
  const { properties, in: place, name, schema, operationId, requestBody } = part as Part;
  for (const [field, property] of Object.entries(properties ?? {})) add(property, examples[field]);
  if (place === 'path') add(schema, examples[`{${name}}`]);
  if (operationId !== undefined)
    for (const content of Object.values(requestBody?.content ?? {})) add(content.schema, examples[operationId]);
  for (const inner of Object.values(part)) visit(inner, examples);
}

function add(schema: Schema | undefined, values: readonly unknown[] | undefined): void {
  if (schema && values) schema.examples = [...values];
}
