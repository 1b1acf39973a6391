import { z } from 'zod';
import { endpoint, openApiDocument } from '@millwright/http';
import { openApiFaults } from './index.js';

const info = {
  title: 'Things',
  description: '',
  version: '1',
  server: 'http://things.test',
  limits: {},
  security: { type: 'http', scheme: 'bearer' },
};
const changeThing = endpoint({
  operationId: 'changeThing',
  method: 'PUT',
  path: '/things/{id}',
  summary: 'A thing',
  tag: 'Things',
  access: { scope: 'skills:write' },
  limit: 'credential',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.coerce.number().pipe(z.int().min(1).max(9)).default(1) }),
  body: z.strictObject({ name: z.string().min(1), size: z.int().default(1) }),
  success: { status: 200, description: 'The thing', body: z.object({ name: z.string(), size: z.int() }) },
  errors: ['conflict', 'precondition_failed'],
});
const documentOf = (...contracts: (typeof changeThing)[]) =>
  openApiDocument(info, 'platform', contracts) as { paths: Record<string, Record<string, Record<string, unknown>>> };
const operation = documentOf(changeThing).paths['/things/{id}']?.['put'] ?? {};

describe('openApiDocument', () => {
  it('returns a document without faults', () => {
    expect(openApiFaults(documentOf(changeThing))).toEqual([]);
  });

  it('describes parameters in their sent form, with bounds, and marks only required ones as required', () => {
    expect(operation['parameters']).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
      { $ref: '#/components/parameters/If-Match' },
    ]);
  });

  it('refuses unknown fields in requests and leaves room for more in answers', () => {
    const schemaOf = (part: unknown) =>
      (part as { content: { 'application/json': { schema: object } } }).content['application/json'].schema;
    expect(schemaOf(operation['requestBody'])).toEqual({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: { type: 'string', minLength: 1 }, size: { type: 'integer', default: 1 } },
    });
    expect(schemaOf((operation['responses'] as Record<string, unknown>)['200'])).toEqual({
      type: 'object',
      required: ['name', 'size'],
      properties: { name: { type: 'string' }, size: { type: 'integer' } },
    });
  });

  it('names each status that the endpoint can answer', () => {
    const statuses = Object.keys(operation['responses'] as object);
    expect(statuses).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
  });
});

describe('openApiFaults', () => {
  const broken = (change: (document: Record<string, unknown>) => void) => {
    const document = JSON.parse(JSON.stringify(documentOf(changeThing))) as Record<string, unknown>;
    change(document);
    return openApiFaults(document).join('\n');
  };

  it.each<[string, (document: Record<string, unknown>) => void, string]>([
    ['another version', (d) => (d['openapi'] = '3.0.3'), 'openapi is 3.0.3'],
    ['no server', (d) => (d['servers'] = [{ url: '/v1' }]), 'servers are not absolute URLs'],
    ['no operations', (d) => (d['paths'] = {}), 'there are no operations'],
    ['a lost component', (d) => (d['components'] = {}), 'does not exist'],
    [
      'an undeclared path parameter',
      (d) => (d['paths'] = { '/a/{b}': { get: { ...operation, parameters: [] } } }),
      'path parameters b are declared as',
    ],
    [
      'an operationId twice',
      (d) => (d['paths'] = { '/things/{id}': { get: operation, put: operation } }),
      'operationIds are not unique',
    ],
    [
      'an invalid schema',
      (d) =>
        (d['paths'] = {
          '/a': { get: { ...operation, parameters: [{ name: 'q', in: 'query', schema: { type: 'text' } }] } },
        }),
      'schema is invalid',
    ],
  ])('finds %s', (_what, change, fault) => {
    expect(broken(change)).toContain(fault);
  });
});
