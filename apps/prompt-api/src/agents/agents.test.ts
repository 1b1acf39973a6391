import { encodeId } from '@millwright/db';
import { like, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { Agent } from './agents.contract.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let app: TestApp;
let commerce: string;
beforeAll(async () => {
  app = await startTestApp();
  commerce = await app.issueKey({ project: 'Commerce' });
});
afterAll(() => app.close());

type Shown = Agent & Failure;
const call = (method: string, path: string, options: CallOptions = {}) => app.call<Shown>(method, path, options);
const post = (title: unknown, more: object = {}, options: CallOptions = {}) =>
  call('POST', '/v1/agent', { ...options, body: { content: 'You help.', metadata: { title }, ...more } });
const create = async (title: string, more: object = {}) => {
  const { status, body } = await post(title, more);
  expect(status).toBe(201);
  return body;
};
const actions = async (id: string) => {
  const where = { resource: encodeId('ag', id), decision: 'allow' };
  return (await app.db.prisma.governanceDecision.findMany({ where, orderBy: { at: 'asc' } })).map((row) => row.action);
};

describe('POST /v1/agent', () => {
  it('makes an agent like those of the platform API, with its first version and an audit row', async () => {
    const metadata = { title: ' Über Helfer ', description: 'Hilft', tag: ['faq'], status: 'draft', author: 'Eve' };
    const { status, headers, body } = await call('POST', '/v1/agent', { body: { content: 'You help.', metadata } });
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, body._link, '"d-1"']);
    expect(body).toEqual({
      id: like(UUID),
      content: 'You help.',
      prefix: 'uber-helfer',
      metadata: {
        title: 'Über Helfer',
        description: 'Hilft',
        tag: ['faq'],
        log_message: '',
        created: like(ISO),
        updated: like(ISO),
        version: 1,
        status: 'draft',
        author: 'Ada',
      },
      _link: `/v1/agent/${body.id}`,
    });
    const row = await app.db.prisma.agent.findUnique({ where: { id: body.id }, include: { versions: true } });
    expect(row).toMatchObject({
      name: 'Über Helfer',
      slug: 'uber-helfer',
      instructions: 'You help.',
      status: 'inactive',
      content_tags: ['faq'],
      versions: [{ version: 1, state: { name: 'Über Helfer', instructions: 'You help.', status: 'inactive' } }],
    });
    expect(await actions(body.id)).toEqual(['agent.create']);
    expect((await call('GET', body._link)).body).toEqual(body);
  });

  it("makes the agent's card public only when the installation publishes agents by default", async () => {
    const isPublished = async (id: string) =>
      (await app.db.prisma.agent.findUniqueOrThrow({ where: { id } })).published;
    expect(await isPublished((await create('With a card')).id)).toBe(true);
    const strict = await app.startReplica({ publishedByDefault: false });
    const body = { content: 'You help.', metadata: { title: 'Without a card' } };
    expect(await isPublished((await strict.call<Shown>('POST', '/v1/agent', { body })).body.id)).toBe(false);
  });

  it('accepts a free prefix and answers 409 to a taken prefix; a taken prefix that was made from the title gets a number', async () => {
    expect((await create('Chosen', { prefix: 'my-own' })).prefix).toBe('my-own');
    const taken = await post('Another', { prefix: 'my-own' }, { key: commerce });
    expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict']);
    expect((await create('My own')).prefix).toBe('my-own-2');
  });

  it('answers 409 when the project already has that title', async () => {
    await create('Only one');
    expect((await post('Only one')).status).toBe(409);
    expect((await post('Only one', {}, { key: commerce })).status).toBe(201);
  });

  it.each([
    ['content', { content: undefined }],
    ['content', { content: 'x'.repeat(100_001) }],
    ['metadata', { metadata: undefined }],
    ['metadata.title', { metadata: {} }],
    ['metadata.title', { metadata: { title: ' ' } }],
    ['metadata.tag', { metadata: { title: 'T', tag: ['a', 'a'] } }],
    ['metadata.status', { metadata: { title: 'T', status: 'archived' } }],
    ['prefix', { prefix: 'Not A Slug' }],
    ['prefix', { prefix: 'a--b' }],
    ['prefix', { prefix: 'registry' }],
    ['prefix', { prefix: 'x'.repeat(61) }],
  ])('answers 400, and the error names %s', async (field, wrong) => {
    const { status, body } = await post('Wrong', wrong);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.message).toContain(` ${field}: `);
  });
});

describe('PUT /v1/agent/{uuid}', () => {
  it('merges the fields, keeps the prefix, and makes a new and audited version', async () => {
    const before = await create('Before', { metadata: { title: 'Before', description: 'Stays', tag: ['stays'] } });
    const changed = await call('PUT', before._link, {
      body: { content: 'New.', prefix: 'other', metadata: { title: 'After', status: 'draft' } },
    });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"d-2"']);
    const metadata = { ...before.metadata, title: 'After', status: 'draft', version: 2, updated: like(ISO) };
    expect(changed.body).toEqual({ ...before, content: 'New.', metadata });
    expect((await call('GET', before._link)).body).toEqual(changed.body);
    expect(await actions(before.id)).toEqual(['agent.create', 'agent.update']);
    const versions = await app.db.prisma.agentVersion.findMany({ where: { agent_id: before.id } });
    expect(versions.find(({ version }) => version === 2)?.changed).toEqual(['name', 'instructions', 'status']);
    expect((await call('PUT', before._link, { body: changed.body })).status).toBe(200);
  });

  it('answers 409 to a stale metadata.version or a taken title and 412 to a stale If-Match, and changes nothing', async () => {
    await create('Taken title');
    const { _link } = await create('Kept');
    const put = (metadata: object, headers = {}) => call('PUT', _link, { body: { metadata }, headers });
    expect((await put({ version: 9, title: 'Lost' })).status).toBe(409);
    expect((await put({ title: 'Taken title' })).status).toBe(409);
    expect((await put({ title: 'Lost' }, { 'if-match': '"d-9"' })).status).toBe(412);
    expect((await call('GET', _link)).body.metadata).toMatchObject({ title: 'Kept', version: 1 });
    expect((await put({ version: 1, title: 'Won' }, { 'if-match': '"d-1"' })).status).toBe(200);
  });
});

it('a request for an agent of another project is answered 404, and a request with a malformed UUID 400', async () => {
  const { _link } = await create('Private');
  for (const at of [_link, '/v1/agent/018f0000-0000-7000-8000-000000000000']) {
    expect((await call('GET', at, { key: commerce })).status).toBe(404);
    expect((await call('PUT', at, { key: commerce, body: { content: 'Taken over' } })).status).toBe(404);
  }
  expect((await call('GET', _link)).body.content).toBe('You help.');
  expect((await call('GET', '/v1/agent/ag_1')).status).toBe(400);
});

it('reading agents requires agents:read, and changing them agents:write', async () => {
  const { _link } = await create('Scoped');
  const reader = await app.issueKey({ scopes: ['agents:read', 'prompts:write'] });
  expect((await call('GET', _link, { key: reader })).status).toBe(200);
  expect((await call('PUT', _link, { key: reader, body: {} })).status).toBe(403);
  expect((await post('No', {}, { key: reader })).status).toBe(403);
  const writer = await app.issueKey({ scopes: ['agents:write', 'prompts:read'] });
  expect((await call('GET', '/v1/agent', { key: writer })).status).toBe(403);
  expect((await call('PUT', _link, { key: writer, body: { content: 'x' } })).status).toBe(200);
});

it('GET /v1/agent returns a bare array, newest first, with filters, sorting and a total', async () => {
  const own = await startTestApp();
  const add = (title: string, more: object) =>
    own.call('POST', '/v1/agent', { body: { content: '', metadata: { title, ...more } } });
  await add('List Beta', { tag: ['red', 'blue'], status: 'draft' });
  await add('List Alpha', { tag: ['red'], description: '100% _wool_' });
  await add('List Gamma', { tag: ['blue', 'red'] });
  const titles = async (query: string, count?: number) => {
    const { status, headers, body } = await own.call<Shown[]>('GET', `/v1/agent?${query}`);
    expect(status).toBe(200);
    expect(headers.get('x-total-count')).toBe(String(count ?? body.length));
    return body.map(({ metadata }) => metadata.title);
  };
  expect(await titles('')).toEqual(['List Gamma', 'List Alpha', 'List Beta']);
  expect(await titles('limit=2&page=2', 3)).toEqual(['List Beta']);
  expect(await titles('status=draft')).toEqual(['List Beta']);
  expect(await titles('status=published')).toEqual(['List Gamma', 'List Alpha']);
  expect(await titles('status=archived')).toEqual([]);
  expect(await titles('tag=red,blue')).toEqual(['List Gamma', 'List Beta']);
  expect(await titles('search=LIST&sort_by=title&sort_direction=asc')).toEqual([
    'List Alpha',
    'List Beta',
    'List Gamma',
  ]);
  expect(await titles(`search=${encodeURIComponent('100% _w')}`)).toEqual(['List Alpha']);
  await own.close();
});
