import { followRef, operationsOf, type Described, type Media, type Schema } from './schema.js';

/**
 * Adds to each body and answer an example that its schema accepts. Examples of requests have the required fields, and
 * examples of answers have all fields.
 */
export function addExamples(document: Described): void {
  const { schemas } = document.components;
  const add = (content: Record<string, Media> | undefined, whole: boolean) => {
    for (const [type, media] of Object.entries(content ?? {})) {
      const { schema, example } = media;
      if (schema && example === undefined && !NO_EXAMPLE.test(type))
        media.example = type === 'text/markdown' ? MARKDOWN : exampleOf(schemas, '', schema, whole);
    }
  };
  for (const { requestBody, responses } of operationsOf(document)) {
    add(requestBody?.content, false);
    for (const { content } of Object.values(responses)) add(content, true);
  }
}

/** Media types whose content is not one value. */
const NO_EXAMPLE = /^(text\/event-stream|multipart\/form-data|\*\/\*)$/;

const MARKDOWN = '---\nname: refunds\ndescription: How refunds are made.\n---\n\nRefund within 14 days.\n';
const ID = '018f0000-0000-7000-8000-000000000000';
const TIME = '2026-03-02T09:30:00.000Z';

/** Example values of fields whose schema is a text without a format. */
const TEXTS: readonly [name: RegExp, value: string][] = [
  [/(^|_)(id|uuid)s?$|Id$/, ID],
  [/(_at|_until|_since|^at|^created|^updated|^timestamp|At|Modified)$/, TIME],
  [/^(date|from|to|starts_on|ends_on)$/, '2026-03-02'],
  [/^month$/, '2026-03'],
  [/url|issuer|^link$|^_link$|^location$|^endpoint$|^\$ref$/, 'https://agents.acme.dev/records'],
  [/email/i, 'ada@acme.dev'],
  [/^(slug|agent_name|tool|server_name)$/, 'support'],
  [/^(name|title|displayName|formatted)$/, 'Support'],
  [/^model$/, 'gpt-5-mini'],
  [/^schedule$/, '0 7 * * 1-5'],
  [/^timezone$/, 'Europe/Vienna'],
  [/^ip$/, '192.0.2.7'],
  [/sha256|hash/, 'a3f5c1d2e4b60798a3f5c1d2e4b60798a3f5c1d2e4b60798a3f5c1d2e4b60798'],
  [/^content_type$/, 'text/plain'],
  [/^phone_countries$/, 'AT'],
  [/^arguments$/, '{}'],
];

function exampleOf(schemas: Record<string, Schema>, name: string, given: Schema, whole: boolean): unknown {
  const schema = followRef(schemas, given);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const variant = (schema.anyOf ?? schema.oneOf)?.[0];
  if (variant) return exampleOf(schemas, name, variant, whole);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') {
    const { items } = schema;
    // The example is an empty array when no item is valid (`not`), or when items have a property with the name `$ref`,
    // which OpenAPI tools would resolve as a reference.
    if (!items || 'not' in items || items.properties?.['$ref'] || (!whole && (schema.minItems ?? 0) === 0)) return [];
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => exampleOf(schemas, name, items, whole));
  }
  if (type === 'integer' || type === 'number') return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'string') return textExample(name, schema);
  if (type === 'object') return objectExample(schemas, schema, whole);
  return 'text';
}

function textExample(name: string, { format, minLength = 0, maxLength, pattern }: Schema): string {
  if (format === 'uuid') return ID;
  if (format === 'date-time') return TIME;
  if (format === 'date') return TIME.slice(0, 10);
  if (format === 'email') return 'ada@acme.dev';
  if (format === 'uri') return 'https://agents.acme.dev/records';
  const options = [...TEXTS.filter(([names]) => names.test(name)).map(([, value]) => value), ...PATTERNED];
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= (maxLength ?? Number.POSITIVE_INFINITY) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  return options.find(fits) ?? 'text'.padEnd(minLength, 'x').slice(0, maxLength);
}

/** Example texts for patterns, tried in order. */
const PATTERNED = [
  'text',
  'text-1',
  '1',
  ID,
  TIME,
  '2026-03',
  'resp_0000000000000000000000',
  'https://agents.acme.dev',
  'a'.repeat(43),
  'a'.repeat(64),
];

function objectExample(schemas: Record<string, Schema>, schema: Schema, whole: boolean): object {
  const { properties = {}, required = [] } = schema;
  const names = whole ? Object.keys(properties) : required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(schemas, name, properties[name] ?? {}, whole)]));
}
