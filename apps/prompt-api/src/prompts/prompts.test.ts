import { greeting, like, startTestApp, withFields, type Failure, type TestApp } from '../test-app.js';
import type { GenerateResult } from '../runs/runs.contract.js';
import type { Definition, Prompt } from './prompts.contract.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const create = async (changes: object = {}) => {
  const { status, body } = await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, ...changes } });
  expect(status).toBe(201);
  return body;
};
const titled = (title: string, more: object = {}) => create({ metadata: { ...greeting.metadata, title, ...more } });
const schemaOf = (schema: object) => ({ ...greeting.output, schema });
const versionRows = (id: string) =>
  app.db.prisma.promptVersion.findMany({ where: { prompt_id: id }, orderBy: { version: 'asc' } });

describe('POST /v1/prompt', () => {
  it('answers 201, and the body has each field of the prompt', async () => {
    const { status, headers, body } = await app.call<Prompt>('POST', '/v1/prompt', { body: greeting });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: like(UUID),
      instruction: greeting.instruction,
      input: { id: like(UUID), ...greeting.input },
      output: { id: like(UUID), ...greeting.output },
      model_parameters: {},
      metadata: {
        ...greeting.metadata,
        created: like(ISO),
        updated: like(ISO),
        version: 1,
        status: 'published',
        author: 'Ada',
      },
      _link: `/v1/prompt/${body.id}`,
    });
    expect(headers.get('location')).toBe(body._link);
    expect(headers.get('etag')).toBe('"d-1"');
    expect(headers.get('x-ratelimit-limit')).toBe('500000');
  });

  it('stores the prompt with its version, its author and an audit entry', async () => {
    const { id } = await titled('Stored');
    const row = await app.db.prisma.prompt.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({
      project: 'Core',
      title: 'Stored',
      tags: ['hello', 'people'],
      status: 'published',
      created_by: app.author.id,
    });
    expect(await versionRows(id)).toMatchObject([{ version: 1, instruction: greeting.instruction }]);
    const audit = await app.db.prisma.governanceDecision.findFirstOrThrow({ where: { resource: id } });
    expect(audit).toMatchObject({
      action: 'prompt.create',
      decision: 'allow',
      user_id: app.author.id,
      actor_kind: 'user',
      actor_id: 'Ada',
      project: 'Core',
    });
  });

  it('accepts a body with only the required fields of the specification', async () => {
    const { status, body } = await app.call<Prompt>('POST', '/v1/prompt', {
      body: { instruction: {}, input: {}, output: {}, metadata: {} },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      instruction: { static: '', state: '', dynamic: '' },
      input: { name: '', description: '', type: 'structured_data', reference: [], schema: {} },
      metadata: { title: '', description: '', tag: [], log_message: '', status: 'published', version: 1 },
    });
  });

  it('ignores unknown keys and fields that the server sets, and stores none of them', async () => {
    const sent = {
      ...greeting,
      id: UNKNOWN,
      _link: '/v1/prompt/mine',
      author: 'Eve',
      secret_extra: 1,
      input: { ...greeting.input, id: UNKNOWN, secret_extra: 1 },
      metadata: { ...greeting.metadata, author: 'Eve', version: 9, created: 'yesterday', secret_extra: 1 },
    };
    const body = await create(sent);
    expect(body.id).not.toBe(UNKNOWN);
    expect(body.input.id).not.toBe(UNKNOWN);
    expect(body.metadata).toMatchObject({ author: 'Ada', version: 1, created: like(ISO) });
    expect(JSON.stringify([body, await versionRows(body.id)])).not.toMatch(/secret_extra|Eve|yesterday/);
  });

  it.each([['message'], [['message']], [['message', 'structured_data']], [[]]])(
    'returns the type %j as it was sent',
    async (type) => {
      const { id } = await create({ input: { ...greeting.input, type } });
      const { body } = await app.call<Prompt>('GET', `/v1/prompt/${id}`);
      expect(body.input.type).toEqual(type);
    },
  );

  it("keeps the order of a schema's keys", async () => {
    const schema = {
      type: 'object',
      required: ['zebra', 'apple'],
      properties: { zebra: { type: 'string' }, apple: { maximum: 3, minimum: 1, type: 'integer' }, mango: {} },
      additionalProperties: false,
    };
    const { id } = await create({ output: schemaOf(schema) });
    const { body } = await app.call<Prompt>('GET', `/v1/prompt/${id}`);
    expect(JSON.stringify(body.output.schema)).toBe(JSON.stringify(schema));
    const definition = await app.call<Definition>('GET', `/v1/output/${body.output.id}`);
    expect(JSON.stringify(definition.body.schema)).toBe(JSON.stringify(schema));
  });

  it('stores templates of hundreds of kilobytes and of any characters unchanged', async () => {
    const text = '{{ü}} \\{{ "quoted" \u2028 😀 '.repeat(20_000);
    const { id } = await create({ instruction: { static: text } });
    const { body } = await app.call<Prompt>('GET', `/v1/prompt/${id}`);
    expect(body.instruction.static).toBe(text);
  });

  it.each([
    ['instruction', { ...greeting, instruction: undefined }],
    ['input', { ...greeting, input: undefined }],
    ['output', { ...greeting, output: undefined }],
    ['metadata', { ...greeting, metadata: undefined }],
    ['instruction.static', { ...greeting, instruction: { static: 1 } }],
    ['instruction.dynamic', { ...greeting, instruction: { dynamic: 'x'.repeat(1_000_001) } }],
    ['input.type', { ...greeting, input: { type: 3 } }],
    ['input.reference.0', { ...greeting, input: { reference: ['not-a-uuid'] } }],
    ['input.schema', { ...greeting, input: { schema: 'text' } }],
    ['input.schema', { ...greeting, input: { schema: [] } }],
    ['metadata.tag', { ...greeting, metadata: { tag: 'hello' } }],
    ['metadata.title', { ...greeting, metadata: { title: 'a\0b' } }],
    ['metadata.status', { ...greeting, metadata: { status: 'gone' } }],
    ['metadata.constructor', `{"instruction":{},"input":{},"output":{},"metadata":{"constructor":1}}`],
    ['metadata.__proto__', `{"instruction":{},"input":{},"output":{},"metadata":{"__proto__":{"status":"draft"}}}`],
  ])('answers 400 validation_error, and the error names %s', async (field, sent) => {
    const { status, body } = await app.call(
      'POST',
      '/v1/prompt',
      typeof sent === 'string' ? { raw: sent } : { body: sent },
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_error', status: 400 });
    expect(body.error?.message).toContain(` ${field}: `);
    expect(body.message).toBe(body.error?.message);
  });

  it.each([
    ['an unknown type', { type: 'sting' }, 'schema.type'],
    ['a remote reference', { $ref: 'https://example.com/schema.json' }, 'schema.$ref'],
    ['a reference to nothing', { $ref: '#/definitions/none' }, 'schema.$ref'],
    ['a schema that is its own definition', { $ref: '#' }, 'schema'],
    ['another draft', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'schema.$schema'],
    ['a pattern that is not linear', { type: 'string', pattern: '^(?=a)b' }, 'schema.pattern'],
    ['more than 64 KiB', { description: 'x'.repeat(65_537) }, 'schema'],
    ['a fault that only the compiler finds', { nullable: true }, 'schema'],
  ])('answers 400 to an input or output schema with %s', async (_, schema, field) => {
    for (const kind of ['input', 'output']) {
      const { status, body } = await app.call('POST', '/v1/prompt', { body: { ...greeting, [kind]: { schema } } });
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain(` ${kind}.${field}`);
    }
  });

  it.each([
    ['nothing', { raw: '' }, 400, 'bad_request'],
    ['no body at all', {}, 400, 'bad_request'],
    ['text that is not JSON', { raw: '{"instruction": ' }, 400, 'bad_request'],
    ['an array', { raw: '[]' }, 400, 'bad_request'],
    ['a string', { raw: '"prompt"' }, 400, 'bad_request'],
    ['null', { raw: 'null' }, 400, 'bad_request'],
    ['another media type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['more than a mebibyte', { raw: JSON.stringify({ junk: 'x'.repeat(1_048_576) }) }, 413, 'payload_too_large'],
    ['nesting deeper than 64', { raw: `{"junk":${'['.repeat(64)}${']'.repeat(64)}}` }, 413, 'payload_too_large'],
  ])(
    'answers an invalid body (%s) with its status and code, in the error envelope',
    async (_, options, status, code) => {
      const answer = await app.call('POST', '/v1/prompt', options);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: { code, message: answer.body.message, status }, message: like(/\w/) });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it('answers a repeated Idempotency-Key with the stored answer and makes one prompt', async () => {
    const headers = { 'idempotency-key': 'create-once' };
    const body = { ...greeting, metadata: { title: 'Only once' } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.call('POST', '/v1/prompt', { body, headers })),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const again = await app.call('POST', '/v1/prompt', { body, headers });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(answers.find(({ status }) => status === 201)?.text);
    expect(await app.db.prisma.prompt.count({ where: { title: 'Only once' } })).toBe(1);
  });

  it('answers 409 when the Idempotency-Key was used with another body', async () => {
    const headers = { 'idempotency-key': 'two-bodies' };
    await app.call('POST', '/v1/prompt', { body: greeting, headers });
    const { status, body } = await app.call('POST', '/v1/prompt', { body: { ...greeting, metadata: {} }, headers });
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'conflict' });
  });
});

describe('GET /v1/prompt/{uuid}', () => {
  it('returns the created prompt, with the entity tag of its version', async () => {
    const created = await create();
    const { status, headers, body } = await app.call('GET', `/v1/prompt/${created.id}`);
    expect({ status, body, tag: headers.get('etag') }).toEqual({ status: 200, body: created, tag: '"d-1"' });
  });

  it('answers 304 for the current entity tag', async () => {
    const { id } = await create();
    const { status, text } = await app.call('GET', `/v1/prompt/${id}`, { headers: { 'if-none-match': '"d-1"' } });
    expect({ status, text }).toEqual({ status: 304, text: '' });
  });

  it('accepts Content-Type: application/json without a body', async () => {
    const { id } = await create();
    for (const path of [`/v1/prompt/${id}`, '/v1/prompt', '/v1/conversation']) {
      const { status } = await app.call('GET', path, { headers: { 'content-type': 'application/json' } });
      expect(status).toBe(200);
    }
  });

  it('answers 404 with the same body for an unknown prompt and for a prompt of another project', async () => {
    const { id } = await create();
    const stranger = await app.issueKey({ project: 'Commerce' });
    const foreign = await app.call('GET', `/v1/prompt/${id}`, { key: stranger });
    const unknown = await app.call('GET', `/v1/prompt/${UNKNOWN}`);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(foreign.body).toEqual({
      error: {
        code: 'not_found',
        message: 'The resource does not exist.',
        status: 404,
        type: 'invalid_request_error',
        param: null,
      },
      message: 'The resource does not exist.',
    });
  });

  it.each(['nope', '123', `${UNKNOWN}0`, '%00'])('answers 400 or 404 to the id %s, which is not a UUID', async (id) => {
    const { status } = await app.call('GET', `/v1/prompt/${id}`);
    expect(status).toBe(id === '%00' ? 404 : 400);
  });
});

describe('GET /v1/prompt', () => {
  it('returns a bare array of at most 20 prompts, newest first, with the total and the neighbouring pages in headers', async () => {
    const key = await app.issueKey({ project: 'Commerce' });
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1)
      ids.unshift((await app.call<Prompt>('POST', '/v1/prompt', { key, body: greeting })).body.id);
    const { status, headers, body } = await app.call<Prompt[]>('GET', '/v1/prompt', { key });
    expect(status).toBe(200);
    expect(body.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(body[0]).toEqual((await app.call('GET', `/v1/prompt/${ids[0]}`, { key })).body);
    expect(headers.get('x-total-count')).toBe('25');
    expect(headers.get('link')).toMatch(/page=2&limit=20[^>]*>; rel="next"/);
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const second = await app.call<Prompt[]>('GET', next, { key });
    expect(second.body.map(({ id }) => id)).toEqual(ids.slice(20));
    expect(second.headers.get('link')).toMatch(/rel="prev"/);
    expect(second.headers.get('link')).not.toMatch(/rel="next"/);
    const beyond = await app.call('GET', '/v1/prompt?page=9', { key });
    expect({ body: beyond.body, total: beyond.headers.get('x-total-count') }).toEqual({ body: [], total: '25' });
  });

  it('filters by status, by several tags and by text, and sorts the prompts', async () => {
    await titled('List Beta', { tag: ['red', 'blue'], status: 'draft' });
    await titled('List Alpha', { tag: ['red'], description: '100% _wool_', status: 'archived' });
    await titled('List Gamma', { tag: ['blue', 'red', 'green'] });
    const titles = async (query: string) => {
      const { status, headers, body } = await app.call<Prompt[]>('GET', `/v1/prompt?${query}`);
      expect(status).toBe(200);
      const names = body.map(({ metadata }) => metadata.title);
      expect(headers.get('x-total-count')).toBe(String(names.length));
      return names;
    };
    expect(await titles('status=draft')).toEqual(['List Beta']);
    expect(await titles('tag=red,blue')).toEqual(['List Gamma', 'List Beta']);
    expect(await titles('tag=red,blue,green')).toEqual(['List Gamma']);
    expect(await titles('tag=violet')).toEqual([]);
    expect(await titles('search=list&sort_by=title&sort_direction=asc')).toEqual([
      'List Alpha',
      'List Beta',
      'List Gamma',
    ]);
    expect(await titles('search=list&sort_by=created&sort_direction=asc')).toEqual([
      'List Beta',
      'List Alpha',
      'List Gamma',
    ]);
    expect(await titles(`search=${encodeURIComponent('100% _w')}`)).toEqual(['List Alpha']);
    expect(await titles(`search=${encodeURIComponent('1%w')}`)).toEqual([]);
    expect(await titles('search=list&status=archived&tag=red')).toEqual(['List Alpha']);
    expect(await titles('search=LIST%20g')).toEqual(['List Gamma']);
  });

  it('returns correct totals per status after a status change', async () => {
    const { id } = await titled('Counted', { status: 'draft' });
    const drafts = async () => Number((await app.call('GET', '/v1/prompt?status=draft')).headers.get('x-total-count'));
    const before = await drafts();
    await app.call('PUT', `/v1/prompt/${id}`, { body: { metadata: { status: 'archived' } } });
    expect(await drafts()).toBe(before - 1);
  });

  it("does not show another project's prompts", async () => {
    const { id } = await titled('Core only');
    const key = await app.issueKey({ project: 'Commerce' });
    const { text } = await app.call('GET', '/v1/prompt?search=Core%20only', { key });
    expect(text).not.toContain(id);
  });

  it.each([
    'limit=101',
    'limit=0',
    'limit=x',
    'limit=',
    'page=0',
    'page=-1',
    'page=1.5',
    'status=gone',
    'sort_by=id',
    'sort_direction=up',
    'page=1&page=2',
    'search=%00',
  ])('answers 400 to ?%s', async (query) => {
    const { status, body } = await app.call('GET', `/v1/prompt?${query}`);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.message).toContain(query.split('=')[0]);
  });

  it('ignores unknown parameters', async () => {
    expect((await app.call('GET', '/v1/prompt?colour=red&limit=100')).status).toBe(200);
  });
});

describe('PUT /v1/prompt/{uuid}', () => {
  it('creates version 2, in which the fields of the request replace fields one level deep, and leaves version 1 unchanged', async () => {
    const before = await create();
    const [first] = await versionRows(before.id);
    const changes = {
      instruction: { dynamic: 'Say {{message}}' },
      output: { schema: { type: 'string' } },
      metadata: { title: 'New', tag: ['x'] },
      unknown: 1,
    };
    const { status, headers, body } = await app.call<Prompt>('PUT', `/v1/prompt/${before.id}`, { body: changes });
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"d-2"');
    expect(body).toEqual({
      ...before,
      instruction: { ...before.instruction, dynamic: 'Say {{message}}' },
      output: { ...before.output, schema: { type: 'string' } },
      metadata: { ...before.metadata, title: 'New', tag: ['x'], version: 2, updated: like(ISO) },
    });
    expect(await versionRows(before.id)).toEqual([first, withFields({ version: 2, status: 'published' })]);
    expect((await app.call('GET', `/v1/prompt/${before.id}`)).body).toEqual(body);
    expect((await app.call('GET', `/v1/output/${before.output.id}`)).body).toEqual(body.output);
    expect(
      await app.db.prisma.governanceDecision.count({ where: { resource: before.id, action: 'prompt.update' } }),
    ).toBe(1);
  });

  it('accepts the unchanged body of a GET', async () => {
    const referenced = await create();
    const before = await create({ input: { ...greeting.input, reference: [referenced.input.id] } });
    const { status, body } = await app.call('PUT', `/v1/prompt/${before.id}`, { body: before });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, metadata: { ...before.metadata, version: 2, updated: like(ISO) } });
  });

  it('answers 409 when metadata.version is not the current version, and changes nothing', async () => {
    const { id } = await create();
    for (const version of [0, 2]) {
      const { status, body } = await app.call('PUT', `/v1/prompt/${id}`, {
        body: { metadata: { version, title: 'Lost' } },
      });
      expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'conflict' });
    }
    expect(await versionRows(id)).toHaveLength(1);
    expect((await app.call('PUT', `/v1/prompt/${id}`, { body: { metadata: { version: 1 } } })).status).toBe(200);
  });

  it('answers 412 for a stale If-Match, and accepts a current If-Match', async () => {
    const { id } = await create();
    const put = (tag: string) => app.call('PUT', `/v1/prompt/${id}`, { body: {}, headers: { 'if-match': tag } });
    expect((await put('"d-1"')).status).toBe(200);
    for (const tag of ['"d-1"', '"b-2"', 'W/"d-2"', 'nonsense']) {
      const { status, body } = await put(tag);
      expect({ status, code: body.error?.code }).toEqual({ status: 412, code: 'precondition_failed' });
    }
    expect((await put('*')).status).toBe(200);
  });

  it('accepts only one of many concurrent PUTs that name the same version', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        app.call('PUT', `/v1/prompt/${id}`, { body: { metadata: { version: 1, title: `T${n}` } } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await versionRows(id)).toHaveLength(2);
  });

  it('numbers versions without a gap when concurrent PUTs name no version', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.call<Prompt>('PUT', `/v1/prompt/${id}`, { body: {} })),
    );
    expect(answers.map(({ body }) => body.metadata.version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('answers 404 for an unknown prompt and for a prompt of another project, and 400 for an invalid change', async () => {
    const { id } = await create();
    const stranger = await app.issueKey({ project: 'Commerce' });
    expect((await app.call('PUT', `/v1/prompt/${UNKNOWN}`, { body: {} })).status).toBe(404);
    expect((await app.call('PUT', `/v1/prompt/${id}`, { body: {}, key: stranger })).status).toBe(404);
    const invalid = await app.call('PUT', `/v1/prompt/${id}`, { body: { input: { schema: { type: 'sting' } } } });
    expect(invalid.status).toBe(400);
    expect(invalid.body.message).toContain('input.schema.type');
    expect(await versionRows(id)).toHaveLength(1);
  });
});

describe('the references of a prompt', () => {
  const kinds = ['input', 'output'] as const;

  it.each(kinds)('of an %s definition are returned as links to other definitions', async (kind) => {
    const base = await create();
    const reference = [base[kind].id, base[kind].id.toUpperCase()];
    const prompt = await create({ [kind]: { ...greeting[kind], reference } });
    const link = { uuid: base[kind].id, link: `/v1/${kind}/${base[kind].id}`, type: kind };
    expect(prompt[kind].reference).toEqual([link]);
    const { status, body } = await app.call('GET', link.link);
    expect({ status, body }).toEqual({ status: 200, body: base[kind] });
  });

  it.each(kinds)(
    'of an %s definition must name definitions that exist, of the same kind and in the same project',
    async (kind) => {
      const base = await create();
      const key = await app.issueKey({ project: 'Commerce' });
      const foreign = (await app.call<Prompt>('POST', '/v1/prompt', { key, body: greeting })).body;
      for (const id of [UNKNOWN, foreign[kind].id, base.id, base[kind === 'input' ? 'output' : 'input'].id]) {
        const { status, body } = await app.call('POST', '/v1/prompt', {
          body: { ...greeting, [kind]: { reference: [id] } },
        });
        expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
        expect(body.message).toContain(`${kind}.reference: ${id} does not exist`);
      }
    },
  );

  it('are refused when they form a circle, directly or through other definitions', async () => {
    const a = await create();
    const b = await create({ input: { ...greeting.input, reference: [a.input.id] } });
    const c = await create({ input: { ...greeting.input, reference: [b.input.id] } });
    for (const { input } of [a, b, c]) {
      const { status, body } = await app.call('PUT', `/v1/prompt/${a.id}`, {
        body: { input: { reference: [input.id] } },
      });
      expect(status).toBe(400);
      expect(body.message).toContain('input.reference: refers back to itself');
    }
  });

  it('never form a circle, even when two requests set references concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await create(), await create()];
      const refer = (from: typeof a, to: typeof a) =>
        app.call('PUT', `/v1/prompt/${from.id}`, { body: { input: { reference: [to.input.id] } } });
      const statuses = (await Promise.all([refer(a, b), refer(b, a)])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 400]);
    }
  });

  it('add the schemas of the named definitions to the check of the input and to output_schema, nearest definition first', async () => {
    const schemas = ['deep', 'near', 'own'].map((name) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    }));
    const definition = (n: number, reference: string[]) => ({ name: '', schema: schemas[n], reference });
    const deep = await create({ input: definition(0, []), output: definition(0, []) });
    const near = await create({ input: definition(1, [deep.input.id]), output: definition(1, [deep.output.id]) });
    const own = await create({ input: definition(2, [near.input.id]), output: definition(2, [near.output.id]) });
    expect(own.output.schema).toEqual(schemas[2]);
    const render = (structured_data: object) =>
      app.call<GenerateResult & Failure>('POST', `/v1/prompt/${own.id}`, { body: { structured_data } });
    const missing = await render({ own: 'x', near: 'y' });
    expect(missing.status).toBe(400);
    expect(missing.body.message).toContain('structured_data.deep: is required');
    const whole = await render({ own: 'x', near: 'y', deep: 'z' });
    expect(whole.status).toBe(200);
    expect(whole.body.data.output_schema).toEqual({ allOf: [schemas[2], schemas[1], schemas[0]] });
  });

  it('determine the order of the schemas in output_schema', async () => {
    const names = ['e', 'b', 'd', 'a', 'c'];
    const ids: string[] = [];
    for (const name of names)
      ids.push((await create({ output: { schema: { properties: { [name]: {} } } } })).output.id);
    const { id } = await create({ output: { reference: ids.toReversed() } });
    const { body } = await app.call<GenerateResult>('POST', `/v1/prompt/${id}`, { body: {} });
    const order = (body.data.output_schema['allOf'] as { properties?: object }[]).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    );
    expect(order).toEqual(names.toReversed());
  });

  it('leave a version unchanged when the definition that they refer to changes', async () => {
    const base = await create({ output: { schema: { title: 'before' } } });
    const { id } = await create({ output: { reference: [base.output.id] } });
    await app.call('PUT', `/v1/prompt/${base.id}`, { body: { output: { schema: { title: 'after' } } } });
    const { text } = await app.call('POST', `/v1/prompt/${id}`, { body: {} });
    expect(text).toContain('before');
    expect(text).not.toContain('after');
  });
});

describe('GET /v1/input/{uuid} and /v1/output/{uuid}', () => {
  it.each(['input', 'output'] as const)(
    'returns the %s definition with its entity tag, and 404 for another kind, another project and an unknown id',
    async (kind) => {
      const prompt = await create();
      const path = `/v1/${kind}/${prompt[kind].id}`;
      const { body, headers } = await app.call('GET', path);
      expect(body).toEqual(prompt[kind]);
      const tag = String(headers.get('etag'));
      expect(tag).toMatch(/^"d-0-[0-9a-f]{32}"$/);
      expect((await app.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
      await app.call('PUT', prompt._link, { body: { [kind]: { name: 'renamed' } } });
      expect((await app.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
      const other = kind === 'input' ? 'output' : 'input';
      expect((await app.call('GET', `/v1/${kind}/${prompt[other].id}`)).status).toBe(404);
      expect((await app.call('GET', `/v1/${kind}/${UNKNOWN}`)).status).toBe(404);
      expect((await app.call('GET', `/v1/${kind}/nope`)).status).toBe(400);
      const key = await app.issueKey({ project: 'Commerce' });
      expect((await app.call('GET', path, { key })).status).toBe(404);
    },
  );
});
