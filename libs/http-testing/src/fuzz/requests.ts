import fc from 'fast-check';
import { endpointsByTag, resolve, type ApiDocument, type Endpoint, type Schema } from '@millwright/http/reference';
import { hostileValue, knownId, nearlyValid, validValue } from './values.js';

/** One request to an operation of the document. Known ids are filled in when it is sent. */
export interface FuzzRequest {
  kind: 'valid' | 'nearly valid' | 'hostile';
  endpoint: Endpoint;
  /** Path with its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the request is sent without a credential. */
  anonymous: boolean;
}

/** Lists every operation of a document. */
export const endpointsOf = (document: ApiDocument): Endpoint[] => [...endpointsByTag(document).values()].flat();

/**
 * Generates requests to one operation: requests that are valid by the document, nearly valid requests, and hostile
 * requests.
 */
export function requestsTo(document: ApiDocument, endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const kinds = (['valid', 'nearly valid', 'hostile'] as const).map((kind) => requestsOf(document, endpoint, kind));
  return fc.oneof(...kinds);
}

function requestsOf(document: ApiDocument, endpoint: Endpoint, kind: FuzzRequest['kind']): fc.Arbitrary<FuzzRequest> {
  const parts = {
    path: pathOf(document, endpoint, kind),
    query: queryOf(document, endpoint, kind),
    headers: headersOf(document, endpoint, kind),
    content: contentOf(endpoint, kind),
    anonymous: kind === 'hostile' ? fc.nat({ max: 19 }).map((n) => n === 0) : fc.constant(false),
  };
  return fc.record(parts).map(({ path, query, headers, content, anonymous }) => {
    const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    return {
      kind,
      endpoint,
      path: search === '' ? path : `${path}?${search}`,
      headers: { ...headers, ...content.headers },
      body: content.body,
      anonymous,
    };
  });
}

/** Ids that belong to no record. Empty ids and dot segments are left out, because they would name another path. */
const ODD_IDS = [
  '%00',
  '%ff',
  '%',
  'sk_',
  '0',
  '-1',
  "'",
  '%F0%9F%8F%AD',
  'null',
  '*',
  'x'.repeat(300),
  '%2F',
  '%252e',
];

function pathOf(
  document: ApiDocument,
  { method, path, operation }: Endpoint,
  kind: FuzzRequest['kind'],
): fc.Arbitrary<string> {
  const parameters = operation.parameters.map((parameter) => resolve(document, parameter));
  const value = (name: string) => {
    const number = fc.integer({ min: 1, max: 3 }).map(String);
    const examples = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema
      ?.examples;
    const id = () => (/^(n|version)$/.test(name) ? number : knownId(name.replace(/_id$/, '')));
    const known = examples ? fc.constantFrom(...examples.map(String)) : id();
    // Most DELETE requests name an unknown id, so that records remain for other requests.
    const usual =
      method === 'DELETE' && path.endsWith(`{${name}}`) ? fc.oneof({ weight: 2, arbitrary: fc.uuid() }, known) : known;
    if (kind === 'valid') return usual;
    return fc.oneof(
      { weight: kind === 'hostile' ? 1 : 6, arbitrary: usual },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_IDS) },
    );
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return fc.tuple(...names.map(value)).map((values) => {
    let next = 0;
    return path.replaceAll(/\{\w+\}/g, () => values[next++] ?? '');
  });
}

type Pair = [string, string];

function queryOf(document: ApiDocument, { operation }: Endpoint, kind: FuzzRequest['kind']): fc.Arbitrary<Pair[]> {
  const parameters = operation.parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query');
  const texts = (value: fc.Arbitrary<unknown>) =>
    value.map((made) => (typeof made === 'string' ? made : JSON.stringify(made)).toWellFormed().slice(0, 2_000));
  const pairs = parameters.map(({ name, required = false, schema = {} }) => {
    const good = texts(validValue(schema, name));
    const value =
      kind === 'valid'
        ? good
        : fc.oneof(
            { weight: kind === 'hostile' ? 1 : 4, arbitrary: good },
            { weight: 1, arbitrary: texts(hostileValue) },
          );
    const pair = value.map((text): Pair[] => [[name, text]]);
    return required ? pair : fc.oneof(fc.constant<Pair[]>([]), pair);
  });
  const more =
    kind === 'valid'
      ? fc.constant<Pair[]>([])
      : fc.constantFrom<Pair[]>(
          [],
          [],
          [
            ['page', '1'],
            ['page', '2'],
          ],
          [['a[b]', 'c']],
          [['__proto__', '1']],
        );
  return fc.tuple(...pairs, more).map((all) => all.flat());
}

const ODD_HEADERS = [
  ['if-match', '"b-1"'],
  ['if-match', '*'],
  ['if-match', 'W/"x", ,'],
  ['if-none-match', '*'],
  ['idempotency-key', 'x'.repeat(256)],
  ['idempotency-key', 'a b'],
  ['idempotency-key', 'k1'],
  ['x-http-method-override', 'DELETE'],
  ['accept', 'image/png'],
  ['x-request-id', '\u00ff'],
  ['x-forwarded-for', "1.2.3.4, ' OR 1"],
  ['content-encoding', 'gzip'],
  ['range', 'bytes=0-0'],
  ['origin', 'null'],
].map(([name = '', value = '']) => ({ [name]: value }));

function headersOf(
  document: ApiDocument,
  { operation }: Endpoint,
  kind: FuzzRequest['kind'],
): fc.Arbitrary<Record<string, string>> {
  if (kind !== 'valid') return fc.oneof(fc.constant({}), fc.constantFrom(...ODD_HEADERS));
  const keyed = operation.parameters.some((parameter) => resolve(document, parameter).name === 'Idempotency-Key');
  return keyed
    ? fc.oneof(
        fc.constant({}),
        fc.uuid().map((key) => ({ 'idempotency-key': key })),
      )
    : fc.constant({});
}

interface Content {
  body: string | undefined;
  headers: Record<string, string>;
}

const BAD_JSON = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1,}',
  '{"a":1}{"a":1}',
  '\u0000',
  '{"a":NaN}',
  `{"a":${'['.repeat(500)}`,
];
const TYPES = [
  'application/json',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'text/markdown',
  'application/json; charset=utf-7',
  '',
];

function contentOf({ method, operation }: Endpoint, kind: FuzzRequest['kind']): fc.Arbitrary<Content> {
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  if (method === 'GET') return fc.constant({ body: undefined, headers: {} });
  const [type, { schema = {} }] = body ?? ['', {}];
  const typed = (text: string, sent = type): Content => ({
    body: text,
    headers: sent === '' ? {} : { 'content-type': sent === FORM ? `${FORM}; boundary=${BOUNDARY}` : sent },
  });
  const json = type === 'application/json' || /\+json$/.test(type);
  const good = json ? validValue(schema) : validText(type, schema);
  const write = (value: unknown) => (json ? JSON.stringify(value) : String(value));
  if (kind === 'valid')
    return body ? good.map((value) => typed(write(value))) : fc.constant({ body: undefined, headers: {} });
  if (kind === 'nearly valid' && body) return (json ? nearlyValid(good) : good).map((value) => typed(write(value)));
  return fc.oneof(
    fc.tuple(fc.constantFrom(...BAD_JSON), fc.constantFrom(...TYPES)).map(([text, sent]) => typed(text, sent)),
    hostileValue.map((value) => typed(JSON.stringify(value), 'application/json')),
    good.chain((value) => fc.constantFrom(...TYPES).map((sent) => typed(write(value), sent))),
  );
}

const FORM = 'multipart/form-data';
const BOUNDARY = 'the-boundary';

/** Generates a form with its fields in any order. The file is one field, and every other field is a name. */
function validForm(schema: Schema): fc.Arbitrary<string> {
  const parts = Object.entries(schema.properties ?? {}).map(([name, { format }]) => {
    const file = format === 'binary';
    const value = file ? fc.string({ minLength: 1, maxLength: 100 }) : fc.uuid();
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file ? '; filename="x"' : ''}`;
    return value.map((text) => `${head}\r\n\r\n${text}\r\n`);
  });
  const shuffled = fc.tuple(...parts).chain((made) => fc.shuffledSubarray(made, { minLength: made.length }));
  return shuffled.map((made) => `${made.join('')}--${BOUNDARY}--\r\n`);
}

/** Generates texts of a media type other than JSON. */
function validText(type: string, schema: Schema): fc.Arbitrary<string> {
  if (type === FORM) return validForm(schema);
  if (type !== 'text/markdown') return fc.string({ maxLength: 100 });
  const front = fc.tuple(fc.uuid(), fc.string({ maxLength: 20 }), fc.string({ maxLength: 30 }));
  return front.map(
    ([name, description, text]) =>
      `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\nDo ${text}\n`,
  );
}
