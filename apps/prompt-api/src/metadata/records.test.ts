import { like, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { Metadata } from './metadata.contract.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

interface Shown extends Failure {
  id: string;
  metadata: Metadata;
  _link: string;
}

let app: TestApp;
let commerce: string;
beforeAll(async () => {
  app = await startTestApp();
  commerce = await app.issueKey({ project: 'Commerce' });
});
afterAll(() => app.close());

/** Number of prefixes made so far. Each prefix contains its number in letters, because a prefix must not contain digits. */
let made = 0;
const newPrefix = () => `p_${String((made += 1)).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

const metadata = { title: 'Kept', description: 'What is kept', tag: ['red', 'blue'], log_message: 'first' };
const KINDS = [
  { kind: 'conversation', fields: () => ({}), least: () => ({}), rows: 'conversation', changes: {} },
  {
    kind: 'artifact',
    fields: () => ({ content: 'The "output" 😀\n' }),
    least: () => ({ content: '' }),
    rows: 'artifact',
    changes: { content: 'new' },
  },
  {
    kind: 'block',
    fields: () => ({ content: 'Some text', prefix: newPrefix() }),
    least: () => ({ prefix: newPrefix() }),
    rows: 'block',
    changes: { content: 'new' },
  },
] as const;

describe.each(KINDS)('a $kind', ({ kind, fields, least, rows, changes }) => {
  const path = `/v1/${kind}`;
  const scope = `${kind}s`;
  const call = (method: string, at: string, options: CallOptions = {}) => app.call<Shown>(method, at, options);
  const create = async (more: object = {}, options: CallOptions = {}) => {
    const { status, body } = await call('POST', path, { ...options, body: { ...fields(), metadata, ...more } });
    expect(status).toBe(201);
    return body;
  };
  const actions = async (id: string) =>
    (
      await app.db.prisma.governanceDecision.findMany({
        where: { resource: id, decision: 'allow' },
        orderBy: { at: 'asc' },
      })
    ).map(({ action }) => action);
  const countRows = () => (app.db.prisma[rows] as { count: () => Promise<number> }).count();
  const total = async (query = '') => Number((await call('GET', `${path}${query}`)).headers.get('x-total-count'));

  it('is created with 201, each of its fields, its author and an audit entry', async () => {
    const sent = fields();
    const before = await total();
    const { status, headers, body } = await call('POST', path, { body: { ...sent, metadata } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: like(UUID),
      ...(kind === 'conversation' && { message: [] }),
      ...sent,
      metadata: { ...metadata, created: like(ISO), updated: like(ISO), version: 1, status: 'published', author: 'Ada' },
      _link: `${path}/${body.id}`,
    });
    expect([headers.get('location'), headers.get('etag')]).toEqual([body._link, '"d-1"']);
    expect(await actions(body.id)).toEqual([`${kind}.create`]);
    expect(await total()).toBe(before + 1);
    const read = await call('GET', body._link);
    expect({ body: read.body, tag: read.headers.get('etag') }).toEqual({ body, tag: '"d-1"' });
    expect((await call('GET', body._link, { headers: { 'if-none-match': '"d-1"' } })).status).toBe(304);
  });

  it('is created with only the required fields of the specification', async () => {
    const { status, body } = await call('POST', path, { body: { ...least(), metadata: {} } });
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({ title: '', description: '', tag: [], log_message: '', status: 'published' });
  });

  it('ignores unknown keys and fields that the server sets, and stores none of them', async () => {
    const body = await create({
      id: UNKNOWN,
      author: 'Eve',
      secret_extra: 1,
      metadata: { ...metadata, author: 'Eve', version: 9, secret_extra: 1 },
    });
    expect(body.id).not.toBe(UNKNOWN);
    expect(body.metadata).toMatchObject({ author: 'Ada', version: 1 });
    const [row] = await app.db.prisma.$queryRawUnsafe<object[]>(
      `SELECT to_jsonb(r)::text AS row FROM ${scope} r WHERE id = $1::uuid`,
      body.id,
    );
    expect(JSON.stringify([body, row])).not.toMatch(/secret_extra|Eve/);
  });

  it.each([
    ['metadata', { metadata: undefined }],
    ['metadata', { metadata: 'x' }],
    ['metadata.title', { metadata: { title: 3 } }],
    ['metadata.tag.0', { metadata: { tag: [''] } }],
    ['metadata.status', { metadata: { status: 'gone' } }],
    ['metadata.description', { metadata: { description: 'x'.repeat(10_001) } }],
    ['metadata.constructor', { metadata: { constructor: 1 } }],
  ])('is refused with 400 validation_error, and the error names %s', async (field, wrong) => {
    const before = await countRows();
    const { status, body } = await call('POST', path, { body: Object.assign({ ...fields(), metadata }, wrong) });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.message).toContain(` ${field}: `);
    expect(await countRows()).toBe(before);
  });

  it('is created only once for an Idempotency-Key; the same key with another body is answered 409', async () => {
    const options = { body: { ...fields(), metadata }, headers: { 'idempotency-key': `once-${kind}` } };
    const before = await countRows();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', path, options)));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const again = await call('POST', path, options);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await countRows()).toBe(before + 1);
    expect((await call('POST', path, { ...options, body: { ...fields(), metadata: {} } })).status).toBe(409);
  });

  it('is changed by a PUT, which merges the fields and creates a new and audited version', async () => {
    const before = await create();
    const { status, headers, body } = await call('PUT', before._link, {
      body: { ...changes, metadata: { title: 'New', tag: ['x'] }, unknown: 1 },
    });
    expect([status, headers.get('etag')]).toEqual([200, '"d-2"']);
    expect(body).toEqual({
      ...before,
      ...changes,
      metadata: { ...before.metadata, title: 'New', tag: ['x'], version: 2, updated: like(ISO) },
    });
    expect((await call('GET', before._link)).body).toEqual(body);
    expect(await actions(before.id)).toEqual([`${kind}.create`, `${kind}.update`]);
    const whole = await call('PUT', before._link, { body });
    expect(whole.body).toEqual({ ...body, metadata: { ...body.metadata, version: 3, updated: like(ISO) } });
  });

  it('is left unchanged by a stale metadata.version (409) and a stale If-Match (412)', async () => {
    const { _link } = await create();
    const conflict = await call('PUT', _link, { body: { metadata: { version: 2, title: 'Lost' } } });
    expect([conflict.status, conflict.body.error?.code]).toEqual([409, 'conflict']);
    for (const [method, options] of [
      ['PUT', { body: {} }],
      ['DELETE', {}],
    ] as const) {
      const stale = await call(method, _link, { ...options, headers: { 'if-match': '"d-9"' } });
      expect([stale.status, stale.body.error?.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await call('GET', _link)).body.metadata).toMatchObject({ title: 'Kept', version: 1 });
    expect(
      (await call('PUT', _link, { body: { metadata: { version: 1 } }, headers: { 'if-match': '"d-1"' } })).status,
    ).toBe(200);
  });

  it('is changed by only one of many concurrent PUTs that name the same version', async () => {
    const { _link } = await create();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('PUT', _link, { body: {}, headers: { 'if-match': '"d-1"' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('is left unchanged by an invalid PUT, whose 400 names the field', async () => {
    const { _link } = await create();
    const { status, body } = await call('PUT', _link, { body: { metadata: { tag: 'red' } } });
    expect(status).toBe(400);
    expect(body.message).toContain(' metadata.tag: ');
  });

  it('is deleted with 204; the total of the list decreases, and an audit row is written', async () => {
    const { id, _link } = await create({ metadata: { ...metadata, status: 'draft' } });
    const before = await total();
    const { status, text } = await call('DELETE', _link, { headers: { 'content-type': 'application/json' } });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect((await call('GET', _link)).status).toBe(404);
    expect((await call('DELETE', _link)).status).toBe(404);
    expect((await call('PUT', _link, { body: {} })).status).toBe(404);
    expect(await total()).toBe(before - 1);
    expect(await actions(id)).toEqual([`${kind}.create`, `${kind}.delete`]);
  });

  it('can be neither read nor changed by another project', async () => {
    const { _link } = await create();
    const unknown = await call('GET', `${path}/${UNKNOWN}`);
    for (const [method, options] of [
      ['GET', {}],
      ['PUT', { body: { metadata: { title: 'Taken over' } } }],
      ['DELETE', {}],
    ] as const) {
      const { status, text } = await call(method, _link, { ...options, key: commerce });
      expect({ status, text }).toEqual({ status: 404, text: unknown.text });
    }
    expect((await call('GET', _link)).body.metadata.title).toBe('Kept');
    expect((await app.call('GET', path, { key: commerce })).body).toEqual([]);
  });

  it('is read and changed only with the read and write scopes of its kind', async () => {
    const { _link } = await create();
    const reader = await app.issueKey({ scopes: [`${scope}:read`, 'prompts:write'] });
    expect((await call('GET', _link, { key: reader })).status).toBe(200);
    expect((await call('POST', path, { key: reader, body: { ...fields(), metadata } })).status).toBe(403);
    expect((await call('PUT', _link, { key: reader, body: {} })).status).toBe(403);
    expect((await call('DELETE', _link, { key: reader })).status).toBe(403);
    const writer = await app.issueKey({ scopes: [`${scope}:write`, 'prompts:read'] });
    expect((await call('GET', _link, { key: writer })).status).toBe(403);
    expect((await call('PUT', _link, { key: writer, body: {} })).status).toBe(200);
  });
});

describe.each(['artifact', 'block', 'conversation'] as const)('GET /v1/%s', (kind) => {
  it('returns a bare array, newest first, with filters, sorting and a total', async () => {
    const key = await app.issueKey({ project: 'Commerce' });
    const add = (title: string, more: object) =>
      app.call('POST', `/v1/${kind}`, {
        key,
        body: { prefix: newPrefix(), content: 'x', metadata: { title, ...more } },
      });
    await add('List Beta', { tag: ['red', 'blue'], status: 'draft' });
    await add('List Alpha', { tag: ['red'], description: '100% _wool_', status: 'archived' });
    await add('List Gamma', { tag: ['blue', 'red', 'green'] });
    const titles = async (query: string, count?: number) => {
      const { status, headers, body } = await app.call<Shown[]>('GET', `/v1/${kind}?${query}`, { key });
      expect(status).toBe(200);
      expect(headers.get('x-total-count')).toBe(String(count ?? body.length));
      return body.map((record) => record.metadata.title);
    };
    expect(await titles('')).toEqual(['List Gamma', 'List Alpha', 'List Beta']);
    expect(await titles('limit=2&page=2', 3)).toEqual(['List Beta']);
    expect(await titles('status=draft')).toEqual(['List Beta']);
    expect(await titles('tag=red,blue')).toEqual(['List Gamma', 'List Beta']);
    expect(await titles('search=LIST&sort_by=title&sort_direction=asc')).toEqual([
      'List Alpha',
      'List Beta',
      'List Gamma',
    ]);
    expect(await titles(`search=${encodeURIComponent('100% _w')}`)).toEqual(['List Alpha']);
    for (const wrong of ['limit=101', 'page=0', 'sort_by=id', 'status=gone']) {
      expect((await app.call('GET', `/v1/${kind}?${wrong}`, { key })).status).toBe(400);
    }
  });
});

describe('POST /v1/artifact', () => {
  it.each([undefined, 3, 'x'.repeat(1_000_001), 'a\0b'])(
    'answers 400, and the error names content',
    async (content) => {
      const { status, body } = await app.call('POST', '/v1/artifact', { body: { content, metadata } });
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain(' content: ');
    },
  );
});
