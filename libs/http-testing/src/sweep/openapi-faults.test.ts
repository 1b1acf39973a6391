import { z } from 'zod';
import { endpoint, openApiDocument, type EndpointContract } from '@millwright/http';
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
  tag: 'Skills',
  access: { scope: 'skills:write' },
  limit: 'credential',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.coerce.number().pipe(z.int().min(1).max(9)).default(1) }),
  body: z.strictObject({ name: z.string().min(1), size: z.int().default(1).meta({ description: 'Number of parts' }) }),
  success: { status: 200, description: 'The thing', body: z.object({ name: z.string(), size: z.int() }) },
  errors: ['conflict', 'precondition_failed'],
});
const documentOf = (...contracts: EndpointContract[]) =>
  openApiDocument(info, 'platform', contracts) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, object> };
  };
const operation = documentOf(changeThing).paths['/things/{id}']?.['put'] ?? {};

describe('openApiDocument', () => {
  it('returns a document without faults', () => {
    expect(openApiFaults(documentOf(changeThing))).toEqual([]);
  });

  it('describes parameters as they are sent, with bounds, and marks only required parameters as required', () => {
    expect(operation['parameters']).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Unique id. It never changes.',
        schema: { type: 'string' },
      },
      {
        name: 'page',
        in: 'query',
        required: false,
        description: 'Number of the page, from 1.',
        schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
      },
      { $ref: '#/components/parameters/If-Match' },
    ]);
  });

  it('forbids unknown fields in the schemas of requests, and allows further fields in the schemas of answers', () => {
    const { schemas } = documentOf(changeThing).components;
    expect(schemas['ThingChanges']).toEqual({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, description: 'Name.' },
        size: { type: 'integer', default: 1, description: 'Number of parts' },
      },
    });
    expect(schemas['ChangeThingAnswer']).toEqual({
      type: 'object',
      required: ['name', 'size'],
      properties: {
        name: { type: 'string', description: 'Name.' },
        size: { type: 'integer', description: 'Size in bytes.' },
      },
    });
  });

  it("shortens a contract's summary to its first sentence; the description contains further sentences, required scopes and conditions", () => {
    const changed = endpoint({
      ...changeThing,
      summary: 'Change a thing. Its parts stay.',
      description: 'Parts are counted',
    });
    expect(documentOf(changed).paths['/things/{id}']?.['put']).toMatchObject({
      summary: 'Change a thing',
      description:
        'Its parts stay. Parts are counted. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412).',
    });
  });

  it('defines one named schema for a shape that several answers contain; the title of a shape becomes the name of its schema', () => {
    const thing = z.object({ name: z.string() });
    const get = { ...changeThing, operationId: 'getThing', method: 'GET', body: undefined, path: '/a/{id}' } as const;
    const document = documentOf(
      { ...get, success: { status: 200, description: 'One', body: thing } },
      {
        ...get,
        operationId: 'listThings',
        path: '/b/{id}',
        success: { status: 200, description: 'All', body: z.object({ items: z.array(thing) }) },
      },
      {
        ...get,
        operationId: 'getOther',
        path: '/c/{id}',
        success: { status: 200, description: 'Other', body: thing.meta({ title: 'Other' }) },
      },
    );
    expect(document.components.schemas).toMatchObject({
      Thing: { properties: { name: { type: 'string' } } },
      ThingList: { properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } } },
      Other: { title: 'Other' },
    });
  });

  it('lists each status with which an endpoint can answer', () => {
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

interface NamedSchema {
  properties: Record<string, { description?: string; type?: string }>;
}
const schemaOf = (document: Record<string, unknown>, name: string): NamedSchema => {
  const schema = (document['components'] as { schemas: Record<string, NamedSchema> }).schemas[name];
  if (!schema) throw new Error(`There is no schema ${name}`);
  return schema;
};

describe('openApiFaults', () => {
  const broken = (change: (document: Record<string, unknown>) => void) => {
    const document = JSON.parse(JSON.stringify(documentOf(changeThing))) as Record<string, unknown>;
    change(document);
    return openApiFaults(document).join('\n');
  };

  it.each<[string, (document: Record<string, unknown>) => void, string]>([
    ['another version of OpenAPI', (d) => (d['openapi'] = '3.0.3'), 'openapi is 3.0.3'],
    ['a server without an absolute URL', (d) => (d['servers'] = [{ url: '/v1' }]), 'servers are not absolute URLs'],
    ['a document without operations', (d) => (d['paths'] = {}), 'there are no operations'],
    ['a reference to a missing component', (d) => (d['components'] = {}), 'does not exist'],
    [
      'an undeclared path parameter',
      (d) => (d['paths'] = { '/a/{b}': { get: { ...operation, parameters: [] } } }),
      'path parameters b are declared as',
    ],
    [
      'an operationId that two operations have',
      (d) => (d['paths'] = { '/things/{id}': { get: operation, put: operation } }),
      'operationIds are not unique',
    ],
    ['a tag without a description', (d) => (d['tags'] = []), 'the tag Skills has no description'],
    [
      'a field without a description',
      (d) => delete schemaOf(d, 'ThingChanges').properties['size']?.description,
      'changeThing: the field size has no description',
    ],
    [
      'an example that its schema refuses',
      (d) => (schemaOf(d, 'ThingChanges').properties['name'] = { description: 'A number', type: 'integer' }),
      'its example is refused: data/name must be integer',
    ],
    [
      'an operation without a description',
      (d) => (d['paths'] = { '/things/{id}': { put: { ...operation, description: '' } } }),
      'changeThing: has no description',
    ],
    [
      'an invalid schema',
      (d) =>
        (d['paths'] = {
          '/a': { get: { ...operation, parameters: [{ name: 'q', in: 'query', schema: { type: 'text' } }] } },
        }),
      'schema is invalid',
    ],
  ])('reports %s', (_what, change, fault) => {
    expect(broken(change)).toContain(fault);
  });
});
