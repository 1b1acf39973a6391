import type { Scope } from '@millwright/auth';
import { AppError, jsonTypeOf, renderers, type AnswerForm, type ErrorCode } from '@millwright/errors';
import { z } from 'zod';
import { addExamples } from '../openapi/add-examples.js';
import { describeFields } from '../openapi/describe-fields.js';
import { ERROR_SCHEMAS, errorContent, errorName } from '../openapi/errors.js';
import { nameSchemas } from '../openapi/name-schemas.js';
import { descriptionOf, summaryOf, takesIfMatch } from '../openapi/operation-text.js';
import type { Described } from '../openapi/schema.js';
import { openApiTag } from '../openapi/tags.js';
import { needsCredential, needsFreshProof, rolesFor, scopeOf, scopesOf, type Access } from '../contract/access.js';
import { storesAnswers } from './conditional.js';
import type { EndpointContract, LimitClass } from '../contract/contract.js';

export interface OpenApiInfo {
  title: string;
  description: string;
  version: string;
  /** The base address that clients of the service use. */
  server: string;
  /** The number of requests that each class of endpoints admits, as a phrase. */
  limits: Partial<Record<LimitClass, string>>;
  /** The object of the security scheme with the name `credential`. */
  security: object;
  /** A second security scheme. It applies to the endpoints for whose scopes `accepts` returns `true`. */
  alternative?: { name: string; scheme: object; accepts: (scope: Scope) => boolean };
}

/** Further endpoints of the service in another format, with their own credential and limit class. */
export interface OpenApiPart {
  area: AnswerForm;
  contracts: readonly EndpointContract[];
  limits: OpenApiInfo['limits'];
  security: { name: string; scheme: object };
}

/** Errors that every endpoint can answer. */
const EVERYWHERE: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'unavailable'];

/** Makes the OpenAPI 3.1 document of a service. It is generated from the contracts of the service only. */
export function openApiDocument(
  info: OpenApiInfo,
  area: AnswerForm,
  contracts: readonly EndpointContract[],
  parts: readonly OpenApiPart[] = [],
): object {
  const paths: Record<string, Record<string, object>> = {};
  const own = { ...info, area, contracts, credential: 'credential' };
  const others = parts.map(({ security, ...part }) => ({ ...part, credential: security.name }));
  for (const part of [own, ...others])
    for (const contract of part.contracts)
      (paths[contract.path] ??= {})[contract.method.toLowerCase()] = operation(part, contract);
  const tags = new Set([contracts, ...parts.map((part) => part.contracts)].flat().map(({ tag }) => tag));
  const document = {
    openapi: '3.1.1',
    info: {
      title: info.title,
      description: info.description,
      version: info.version,
      contact: { name: 'This installation', url: info.server },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.server, description: 'The base address of this installation' }],
    tags: [...tags].map(openApiTag),
    paths,
    components: {
      securitySchemes: {
        credential: info.security,
        ...(info.alternative && { [info.alternative.name]: info.alternative.scheme }),
        ...Object.fromEntries(parts.map(({ security }) => [security.name, security.scheme])),
      },
      schemas: Object.fromEntries(
        [area, ...parts.map((part) => part.area)].map((of) => [errorName(of), structuredClone(ERROR_SCHEMAS[of])]),
      ),
      headers: HEADERS,
      parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY, 'If-Match': IF_MATCH },
    },
  };
  // Copies the document, so that its parts share no objects and each part can be changed separately.
  const described = JSON.parse(JSON.stringify(document)) as typeof document & Described;
  nameSchemas(described);
  describeFields(described);
  addExamples(described);
  return withoutUnused(described);
}

/** Removes parameters and headers that no operation uses from the components. */
function withoutUnused<Document extends Described & { components: { parameters: object; headers: object } }>(
  document: Document,
): Document {
  const { components } = document;
  const used = JSON.stringify(document.paths);
  const usedOf = (kind: 'parameters' | 'headers') =>
    Object.fromEntries(
      Object.entries(components[kind]).filter(([name]) => used.includes(`"#/components/${kind}/${name}"`)),
    );
  return { ...document, components: { ...components, parameters: usedOf('parameters'), headers: usedOf('headers') } };
}

function takesIdempotencyKey(area: AnswerForm, { method, access, unkeyed }: EndpointContract): boolean {
  return storesAnswers(area) && method === 'POST' && !unkeyed && needsCredential(access);
}

interface Part extends Pick<OpenApiInfo, 'limits' | 'alternative'> {
  area: AnswerForm;
  /** Name of the security scheme. */
  credential: string;
}

function operation(info: Part, contract: EndpointContract): object {
  const { success } = contract;
  const { area } = info;
  const json = jsonTypeOf(area);
  return {
    operationId: contract.operationId,
    summary: summaryOf(contract),
    description: descriptionOf(area, contract, takesIdempotencyKey(area, contract)),
    tags: [contract.tag],
    ...security(info, contract.access),
    ...(info.limits[contract.limit] !== undefined && { 'x-rate-limit': info.limits[contract.limit] }),
    parameters: [
      ...parameters(contract.params, 'path'),
      ...parameters(contract.query, 'query'),
      ...parameters(contract.headers, 'header'),
      ...(takesIdempotencyKey(area, contract) ? [reference('parameters', 'Idempotency-Key')] : []),
      ...(takesIfMatch(contract) ? [reference('parameters', 'If-Match')] : []),
    ],
    ...(contract.body && {
      requestBody: {
        required: !contract.bodyOptional,
        content: {
          ...(contract.oauth && content(contract.body, 'input', FORM)),
          ...content(contract.body, 'input', json),
        },
      },
    }),
    ...(contract.text && { requestBody: { required: true, content: { [contract.text]: { schema: string } } } }),
    ...(contract.upload && { requestBody: { required: true, content: uploadContent(contract.upload) } }),
    responses: {
      ...Object.fromEntries(
        [success, ...(success.also ? [success.also] : [])].map(({ status, description }) => [
          status,
          {
            description,
            headers: {
              ...successHeaders(area, contract),
              ...(status === 303 && { Location: { description: 'The address to open next', schema: string } }),
            },
            ...(success.body && {
              content: {
                ...content(success.body, 'output', success.type ?? json),
                ...(success.file && BYTES),
                ...eventStream(area, contract),
                ...events(contract),
              },
            }),
            ...(contract.feed && status === 200 && { content: feed(contract.feed) }),
          },
        ]),
      ),
      ...(success.accepted && {
        202: {
          description: success.accepted.description,
          headers: { ...successHeaders(area, contract), Location: reference('headers', 'Location') },
          content: content(success.accepted.body, 'output', json),
        },
      }),
      ...(success.file && { 206: { description: 'The range asked for', headers: LIMIT_HEADERS, content: BYTES } }),
      ...errorResponses(area, contract),
    },
  };
}

/** Describes the access of an operation. Scopes, roles and recent proofs are extensions, because OpenAPI defines only the scopes of OAuth. */
function security({ alternative, credential }: Part, access: Access): object {
  const [scope, other] = scopesOf(access);
  const roles = rolesFor(access);
  const either = [
    { [credential]: [] },
    ...(alternative && (scope === undefined || alternative.accepts(scope)) ? [{ [alternative.name]: [] }] : []),
  ];
  return {
    security: needsCredential(access) ? either : access === 'setup' ? [{}, { [credential]: [] }] : [],
    ...(scope && { 'x-required-scope': scope }),
    ...(other && { 'x-alternative-scope': other }),
    ...(roles && { 'x-required-role': roles.length === 1 ? roles[0] : roles }),
    ...(needsFreshProof(access) && { 'x-requires-fresh-proof': true }),
  };
}

const FORM = 'application/x-www-form-urlencoded';
/** The error body of RFC 6749 §5.2. */
const OAUTH_ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Code of the error.' },
    error_description: { type: 'string', description: 'The error in words.' },
  },
};

const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
/** Bytes of any media type. */
const BYTES = { '*/*': { schema: BINARY } };

function uploadContent(fields: z.ZodObject): object {
  const { properties = {}, required = [], ...schema } = jsonSchema(fields, 'input') as z.core.JSONSchema.ObjectSchema;
  const whole = { ...schema, properties: { file: BINARY, ...properties }, required: ['file', ...required] };
  return { 'multipart/form-data': { schema: whole } };
}

function content(schema: z.ZodType, io: 'input' | 'output', type: string): object {
  return { [type]: { schema: jsonSchema(schema, io) } };
}

/** Describes the events of a stream in an extension that lists the data of each event by name, because OpenAPI 3.1 cannot describe them. */
function eventStream(area: AnswerForm, { stream, success }: EndpointContract): object {
  if (!stream || !success.body) return {};
  const last = { [stream.completed]: success.body };
  const accepted = stream.accepted !== undefined && success.accepted && { [stream.accepted]: success.accepted.body };
  const events = Object.entries({ ...stream.events, ...last, ...accepted });
  const data = events.map(([event, schema]): [string, object] => [event, jsonSchema(schema, 'output')]);
  const description = `Server-sent events: ${events.map(([event]) => event).join(', ')}; or error, with the envelope of errors.`;
  const schema = { type: 'string', description };
  return {
    'text/event-stream': {
      schema,
      'x-events': { ...Object.fromEntries(data), error: reference('schemas', errorName(area)) },
    },
  };
}

function feed(schemas: NonNullable<EndpointContract['feed']>): object {
  const events = Object.entries(schemas).map(([event, schema]): [string, object] => [
    event,
    jsonSchema(schema, 'output'),
  ]);
  const description = `Server-sent events, each with an id: ${Object.keys(schemas).join(', ')}.`;
  return {
    'text/event-stream': { schema: { type: 'string', description }, 'x-events': Object.fromEntries(events) },
  };
}

function events({ events: streamed }: EndpointContract): object {
  if (!streamed) return {};
  return {
    'text/event-stream': { schema: { description: streamed.description, ...jsonSchema(streamed.body, 'output') } },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const document = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The schemas of answers allow further fields, because later releases may add fields.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete document.$schema;
  return document;
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): object[] {
  if (!schema) return [];
  // Parameters are sent as strings. The output schema, of the parsed value, contains their bounds. The input schema, of
  // the string, states whether a parameter is required.
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const { required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function errorResponses(area: AnswerForm, contract: EndpointContract): Record<string, object> {
  const codes = new Set<ErrorCode>([...contract.errors, ...EVERYWHERE]);
  // The service refuses changes that come from another site, because a page of another site must not use the browser's
  // cookies.
  if (area === 'admin' && contract.method !== 'GET') codes.add('forbidden');
  if (area === 'admin' && needsCredential(contract.access)) codes.add('network_refused');
  if (contract.unshed) codes.delete('unavailable');
  for (const code of accessErrors(contract.access)) codes.add(code);
  if (contract.params) codes.add('not_found');
  if (contract.params && area === 'prompt') codes.add('validation_error');
  if (contract.success.file) codes.add('range_not_satisfiable');
  if (contract.upload) codes.add('validation_error').add('payload_too_large').add('unsupported_media_type');
  if (contract.oauth) codes.add('bad_request');
  else if (contract.body || contract.text)
    codes.add('bad_request').add('validation_error').add('payload_too_large').add('unsupported_media_type');
  if (contract.query || contract.headers) codes.add('validation_error');
  if (takesIdempotencyKey(area, contract)) codes.add('conflict').add('validation_error');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = renderers[area](new AppError(code));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, names]) => [
        status,
        {
          description: names.join(' or '),
          headers: errorHeaders(status),
          content:
            contract.oauth && status === 400
              ? { 'application/json': { schema: OAUTH_ERROR } }
              : errorContent(area, names),
        },
      ]),
  );
}

function accessErrors(access: Access): readonly ErrorCode[] {
  return [
    ...(needsCredential(access) ? (['unauthorized'] as const) : []),
    ...(scopeOf(access) || rolesFor(access) || access === 'provisioning' ? (['forbidden'] as const) : []),
    ...(needsFreshProof(access) ? (['step_up_required'] as const) : []),
  ];
}

const integer = { type: 'integer' };
const string = { type: 'string' };

const HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests admitted per calendar minute', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time at which the minute ends', schema: integer },
  'Retry-After': { description: 'Seconds after which to try again', schema: integer },
  Link: { description: 'The page of the error, with `rel="help"`', schema: string },
  ETag: { description: 'The version of the record, for `If-Match`', schema: string },
  Location: { description: 'The address of what was made or accepted', schema: string },
  'Idempotent-Replayed': { description: '`true`: the answer to an earlier request with the same key', schema: string },
};

const LIMIT_HEADERS = Object.fromEntries(
  Object.keys(HEADERS)
    .filter((name) => name.startsWith('X-RateLimit-'))
    .map((name) => [name, reference('headers', name)]),
);

/** The headers of a successful answer. The answer has an ETag when its record can be changed with `If-Match`. */
function successHeaders(area: AnswerForm, contract: EndpointContract): object {
  return {
    ...LIMIT_HEADERS,
    ...(takesIfMatch(contract) && contract.success.body && { ETag: reference('headers', 'ETag') }),
    ...(takesIdempotencyKey(area, contract) && { 'Idempotent-Replayed': reference('headers', 'Idempotent-Replayed') }),
  };
}

function errorHeaders(status: number): object {
  const headers = { ...LIMIT_HEADERS, Link: reference('headers', 'Link') };
  return status === 429 || status === 503
    ? { ...headers, 'Retry-After': reference('headers', 'Retry-After') }
    : headers;
}

function reference(kind: 'headers' | 'parameters' | 'schemas', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a retry safe: the same key and body get the same answer for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the version that was read: a record that has changed since is left alone (412).',
  schema: { type: 'string' },
};
