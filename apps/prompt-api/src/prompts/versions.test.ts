import type { Prompt } from './prompts.contract.js';
import type { GenerateResult, RunResult } from '../runs/runs.contract.js';
import { greeting, like, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { Diff, Label } from './versions.contract.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

let app: TestApp;
let commerce: string;
beforeAll(async () => {
  app = await startTestApp();
  commerce = await app.issueKey({ project: 'Commerce' });
});
afterAll(() => app.close());

/** A prompt whose version n has the text `version n`. */
async function promptWith(versions: number): Promise<Prompt> {
  let { body } = await app.call<Prompt>('POST', '/v1/prompt', {
    body: { ...greeting, input: {}, instruction: { static: 'version 1', dynamic: '{{message}}' } },
  });
  for (let n = 2; n <= versions; n += 1) {
    ({ body } = await app.call<Prompt>('PUT', body._link, {
      body: { instruction: { static: `version ${n}` }, metadata: { title: `Title ${n}` } },
    }));
  }
  return body;
}
const label = (link: string, name: string, body: object, options: CallOptions = {}) =>
  app.call<Label & Failure>('PUT', `${link}/label/${name}`, { ...options, body });
const render = (link: string, body: object, query = '') =>
  app.call<GenerateResult & Failure>('POST', `${link}${query}`, { body });
const audit = (resource: string, action: string) =>
  app.db.prisma.governanceDecision.findMany({ where: { resource, action }, orderBy: { at: 'asc' } });

describe('GET /v1/prompt/{uuid}/version', () => {
  it('returns a bare array of all versions, newest first, with the total and the neighbouring pages', async () => {
    const { _link } = await promptWith(5);
    const { status, headers, body } = await app.call<Prompt[]>('GET', `${_link}/version?limit=2`);
    expect(status).toBe(200);
    expect(body.map(({ metadata, instruction }) => [metadata.version, instruction.static])).toEqual([
      [5, 'version 5'],
      [4, 'version 4'],
    ]);
    expect(headers.get('x-total-count')).toBe('5');
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect((await app.call<Prompt[]>('GET', next)).body.map(({ metadata }) => metadata.version)).toEqual([3, 2]);
    expect(
      (await app.call<Prompt[]>('GET', `${_link}/version?limit=2&page=3`)).body.map(({ metadata }) => metadata.version),
    ).toEqual([1]);
    expect((await app.call<Prompt[]>('GET', `${_link}/version?page=9`)).body).toEqual([]);
    expect((await app.call('GET', `${_link}/version?limit=0`)).status).toBe(400);
  });
});

describe('GET /v1/prompt/{uuid}/version/{n}', () => {
  it('returns the prompt as it was in that version', async () => {
    const first = await promptWith(1);
    await app.call('PUT', first._link, { body: { instruction: { static: 'later' }, metadata: { title: 'Later' } } });
    const { status, headers, body } = await app.call<Prompt>('GET', `${first._link}/version/1`);
    expect({ status, body }).toEqual({ status: 200, body: { ...first, _link: `${first._link}/version/1` } });
    expect(headers.get('etag')).toBe('"d-1"');
    expect((await app.call('GET', body._link, { headers: { 'if-none-match': '"d-1"' } })).status).toBe(304);
  });

  it.each(['0', '-1', 'x', '1.5', '2147483648'])('answers 400 to version %s', async (n) => {
    const { _link } = await promptWith(1);
    const { status, body } = await app.call('GET', `${_link}/version/${n}`);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
  });

  it('answers 404 for a version that does not exist', async () => {
    const { _link } = await promptWith(1);
    expect((await app.call('GET', `${_link}/version/2`)).status).toBe(404);
  });
});

describe('POST /v1/prompt/{uuid}/version/{n}/restore', () => {
  it('makes a new version with the content of the earlier version, and leaves the other versions unchanged', async () => {
    const { id, _link } = await promptWith(3);
    const { status, headers, body } = await app.call<Prompt>('POST', `${_link}/version/1/restore`);
    expect(status).toBe(201);
    expect([headers.get('etag'), headers.get('location')]).toEqual(['"d-4"', `${_link}/version/4`]);
    expect(body).toMatchObject({
      instruction: { static: 'version 1' },
      metadata: { title: 'Greeting', version: 4, log_message: 'Restored version 1' },
      _link,
    });
    expect((await app.call('GET', _link)).body).toEqual(body);
    expect((await app.call<Prompt>('GET', `${_link}/version/3`)).body.instruction.static).toBe('version 3');
    expect(await audit(id, 'prompt.restore')).toHaveLength(1);
  });

  it('answers 412 for a stale If-Match and 404 for a version that does not exist, and changes nothing', async () => {
    const { _link } = await promptWith(2);
    expect((await app.call('POST', `${_link}/version/1/restore`, { headers: { 'if-match': '"d-1"' } })).status).toBe(
      412,
    );
    expect((await app.call('POST', `${_link}/version/3/restore`)).status).toBe(404);
    expect((await app.call<Prompt>('GET', _link)).body.metadata.version).toBe(2);
  });

  it('answers a repeated Idempotency-Key with the stored answer', async () => {
    const { _link } = await promptWith(2);
    const headers = { 'idempotency-key': 'restore-once' };
    const first = await app.call('POST', `${_link}/version/1/restore`, { headers });
    const again = await app.call('POST', `${_link}/version/1/restore`, { headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await app.call<Prompt>('GET', _link)).body.metadata.version).toBe(3);
  });

  it('answers 400 when a definition that the version refers to was deleted', async () => {
    const base = await promptWith(1);
    const { _link } = (
      await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: { reference: [base.input.id] } } })
    ).body;
    await app.call('PUT', _link, { body: { input: { reference: [] } } });
    expect((await app.call('DELETE', base._link)).status).toBe(204);
    const { status, body } = await app.call('POST', `${_link}/version/1/restore`);
    expect(status).toBe(400);
    expect(body.message).toContain(' input.reference: ');
  });
});

describe('GET /v1/prompt/{uuid}/version/{n}/diff', () => {
  const diff = (link: string, n: number, query = '') =>
    app.call<Diff & Failure>('GET', `${link}/version/${n}/diff${query}`);

  it('returns each field that differs between the two versions; for a text it lists the equal, removed and added lines', async () => {
    const { id, _link } = (
      await app.call<Prompt>('POST', '/v1/prompt', {
        body: { ...greeting, instruction: { static: 'one\ntwo\nthree', dynamic: '{{message}}' } },
      })
    ).body;
    const schema = { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } };
    await app.call('PUT', _link, {
      body: { instruction: { static: 'one\n2\nthree\nfour' }, input: { schema }, metadata: { tag: ['new'] } },
    });
    const { status, body } = await diff(_link, 2, '?from=1');
    expect(status).toBe(200);
    expect(body).toEqual({
      prompt: id,
      from: 1,
      to: 2,
      changes: [
        {
          path: 'instruction.static',
          from: 'one\ntwo\nthree',
          to: 'one\n2\nthree\nfour',
          lines: [
            { kind: 'same', text: 'one' },
            { kind: 'removed', text: 'two' },
            { kind: 'added', text: '2' },
            { kind: 'same', text: 'three' },
            { kind: 'added', text: 'four' },
          ],
        },
        { path: 'input.schema', from: greeting.input.schema, to: schema },
        { path: 'metadata.tag', from: ['hello', 'people'], to: ['new'] },
      ],
    });
    expect((await diff(_link, 2)).body).toEqual(body);
  });

  it('returns no differences between a version and itself, and compares in both directions', async () => {
    const { _link } = await promptWith(3);
    expect((await diff(_link, 2, '?from=2')).body.changes).toEqual([]);
    const back = await diff(_link, 1, '?from=3');
    expect(back.body.changes.map(({ path, to }) => [path, to])).toEqual([
      ['instruction.static', 'version 1'],
      ['metadata.title', 'Greeting'],
    ]);
  });

  it('answers 400 for the first version without `from`, and 404 for versions that do not exist', async () => {
    const { _link } = await promptWith(1);
    const first = await diff(_link, 1);
    expect([first.status, first.body.message]).toEqual([400, like(/ from: /)]);
    expect((await diff(_link, 1, '?from=0')).status).toBe(400);
    expect((await diff(_link, 1, '?from=2')).status).toBe(404);
    expect((await diff(_link, 2, '?from=1')).status).toBe(404);
    expect((await app.call('GET', `${_link}/version/1/diff?from=1`, { key: commerce })).status).toBe(404);
  });

  it('compares texts without common lines quickly', async () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n');
    const { _link } = await promptWith(1);
    await app.call('PUT', _link, { body: { instruction: { static: lines('old') } } });
    await app.call('PUT', _link, { body: { instruction: { static: lines('new') } } });
    const { status, body } = await diff(_link, 3);
    expect([status, body.changes[0]?.lines]).toEqual([200, undefined]);
  });
});

describe('PUT /v1/prompt/{uuid}/label/{name}', () => {
  it('creates and moves a label, and writes an audit entry with both versions and the reason', async () => {
    const { id, _link } = await promptWith(2);
    const made = await label(_link, 'production', { version: 1 });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      name: 'production',
      version: 1,
      protected: true,
      prompt: id,
      updated: like(ISO),
      author: 'Ada',
      _link: `${_link}/label/production`,
    });
    expect((await label(_link, 'production', { version: 2, reason: 'It is better', extra: 1 })).body.version).toBe(2);
    await label(_link, 'a.b-c_1', { version: 1 });
    const { body } = await app.call<Label[]>('GET', `${_link}/label`);
    expect(body.map(({ name, version }) => [name, version])).toEqual([
      ['a.b-c_1', 1],
      ['production', 2],
    ]);
    expect((await audit(id, 'prompt.label')).map(({ detail }) => detail)).toEqual([
      { label: 'production', from: null, to: 1 },
      { label: 'production', from: 1, to: 2, reason: 'It is better' },
      { label: 'a.b-c_1', from: null, to: 1 },
    ]);
  });

  it.each([[{}], [{ version: 3 }], [{ version: 0 }], [{ version: 'x' }], [{ version: 1.5 }]])(
    'answers 400 to %j, and the error names the field `version`',
    async (body) => {
      const { _link } = await promptWith(2);
      const answer = await label(_link, 'production', body);
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
        status: 400,
        code: 'validation_error',
      });
      expect(answer.body.message).toContain(' version: ');
      expect((await app.call('GET', `${_link}/label`)).body).toEqual([]);
    },
  );

  it.each(['-x', 'a%20b', 'ä', 'x'.repeat(65), '.'])('answers 400 or 404 to the name %s', async (name) => {
    const { _link } = await promptWith(1);
    expect([400, 404]).toContain((await label(_link, name, { version: 1 })).status);
  });

  it('answers 400 for a new label when the prompt has 100 labels, but still moves existing labels', async () => {
    const { _link } = await promptWith(1);
    for (let n = 0; n < 100; n += 1) expect((await label(_link, `l${n}`, { version: 1 })).status).toBe(200);
    const { status, body } = await label(_link, 'l100', { version: 1 });
    expect({ status, message: body.error?.message }).toEqual({
      status: 400,
      message: expect.stringContaining('may have 100') as string,
    });
    expect((await label(_link, 'l99', { version: 1 })).status).toBe(200);
  });

  it('answers 404 to another project, and requires prompts:write', async () => {
    const { _link } = await promptWith(1);
    expect((await label(_link, 'production', { version: 1 }, { key: commerce })).status).toBe(404);
    expect((await app.call('GET', `${_link}/label`, { key: commerce })).status).toBe(404);
    expect(
      (
        await label(
          _link,
          'production',
          { version: 1 },
          { key: await app.issueKey({ scopes: ['prompts:read', 'prompts:run'] }) },
        )
      ).status,
    ).toBe(403);
  });
});

describe('a protected label', () => {
  const writer = () => app.issueKey({ scopes: ['prompts:read', 'prompts:write'] });

  it('is `production` from the start, or any other label that a caller with the scope admin protects', async () => {
    const { _link } = await promptWith(2);
    const key = await writer();
    expect((await label(_link, 'production', { version: 1 }, { key })).body.protected).toBe(true);
    expect((await label(_link, 'canary', { version: 1 }, { key })).body.protected).toBe(false);
    expect((await label(_link, 'canary', { version: 1, protected: true }, { key })).status).toBe(403);
    expect((await label(_link, 'canary', { version: 1, protected: true })).body.protected).toBe(true);
    expect((await label(_link, 'canary', { version: 2 }, { key })).status).toBe(403);
  });

  it('can be moved, unprotected or deleted only with the scope admin and a reason, which the audit entry has', async () => {
    const { id, _link } = await promptWith(2);
    const key = await writer();
    await label(_link, 'production', { version: 1 });
    for (const options of [{ key }, {}]) {
      const expected = options.key ? 403 : 400;
      expect((await label(_link, 'production', { version: 2 }, options)).status).toBe(expected);
      expect((await app.call('DELETE', `${_link}/label/production`, options)).status).toBe(expected);
    }
    const reason = 'The new tone is agreed';
    expect((await label(_link, 'production', { version: 2, reason }, { key })).status).toBe(403);
    expect((await render(_link, { label: 'production' })).body.data.static).toBe('version 1');
    const denials = await app.db.prisma.governanceDecision.findMany({ where: { resource: id, decision: 'deny' } });
    expect(denials.map(({ action }) => action)).toEqual(['prompt.label', 'prompt.unlabel', 'prompt.label']);
    expect((await label(_link, 'production', { version: 2, reason })).body).toMatchObject({
      version: 2,
      protected: true,
    });
    expect((await app.call('DELETE', `${_link}/label/production?reason=Withdrawn`)).status).toBe(204);
    const deleted = (await audit(id, 'prompt.unlabel')).filter(({ decision }) => decision === 'allow');
    expect(deleted).toMatchObject([{ detail: { label: 'production', reason: 'Withdrawn' } }]);
    await label(_link, 'production', { version: 1 }, { key });
    expect((await label(_link, 'production', { version: 1, protected: false, reason })).body.protected).toBe(false);
    expect((await label(_link, 'production', { version: 2 }, { key })).status).toBe(200);
  });

  it('is not moved by requests without the scope admin, even by more than the pool has connections; each refusal is recorded', async () => {
    const { id, _link } = await promptWith(2);
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:write'] });
    await label(_link, 'production', { version: 1 });
    const moves = Array.from({ length: 12 }, () => label(_link, 'production', { version: 2 }, { key }));
    expect((await Promise.all(moves)).map(({ status }) => status)).toEqual(moves.map(() => 403));
    const where = { resource: id, action: 'prompt.label', decision: 'deny' };
    expect(await app.db.prisma.governanceDecision.count({ where })).toBe(12);
  });
});

describe('DELETE /v1/prompt/{uuid} with a protected label', () => {
  it('requires the scope admin and a reason, and records refusals', async () => {
    const { id, _link } = await promptWith(1);
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:write'] });
    await label(_link, 'staging', { version: 1 }, { key });
    await label(_link, 'production', { version: 1 }, { key });
    for (const path of [_link, `${_link}?reason=Tidying`])
      expect((await app.call('DELETE', path, { key })).status).toBe(403);
    const { status, body } = await app.call('DELETE', _link);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.message).toContain('production');
    expect((await app.call('GET', _link)).status).toBe(200);
    const refused = await audit(id, 'prompt.delete');
    expect(refused).toMatchObject([
      { decision: 'deny', reason: 'the label is protected', detail: { label: 'production' } },
      { decision: 'deny', reason: 'the label is protected', detail: { label: 'production' } },
    ]);
    expect((await app.call('DELETE', `${_link}?reason=Withdrawn`)).status).toBe(204);
    expect((await app.call('GET', _link)).status).toBe(404);
    const deleted = (await audit(id, 'prompt.delete')).filter(({ decision }) => decision === 'allow');
    expect(deleted).toMatchObject([{ detail: { title: 'Greeting', reason: 'Withdrawn' } }]);
  });

  it('requires only prompts:write after its labels are no longer protected', async () => {
    const { _link } = await promptWith(1);
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:write'] });
    await label(_link, 'staging', { version: 1 }, { key });
    expect((await app.call('DELETE', _link, { key })).status).toBe(204);
  });
});

describe('DELETE /v1/prompt/{uuid}/label/{name}', () => {
  it('deletes a label with 204; a second DELETE is answered 404', async () => {
    const { id, _link } = await promptWith(1);
    await label(_link, 'staging', { version: 1 });
    expect((await app.call('DELETE', `${_link}/label/staging`)).status).toBe(204);
    expect((await app.call('DELETE', `${_link}/label/staging`)).status).toBe(404);
    expect(await audit(id, 'prompt.unlabel')).toHaveLength(1);
  });
});

describe('a render or run by version or label', () => {
  it('uses the version in the body or the query, and the current version by default', async () => {
    const { _link } = await promptWith(3);
    await label(_link, 'production', { version: 2 });
    const text = async (body: object, query = '') => (await render(_link, body, query)).body.data.static;
    expect(await text({})).toBe('version 3');
    expect([await text({ version: 1 }), await text({}, '?version=1')]).toEqual(['version 1', 'version 1']);
    expect([await text({ label: 'production' }), await text({}, '?label=production')]).toEqual([
      'version 2',
      'version 2',
    ]);
    const { body } = await render(_link, { version: 1 });
    expect(body.data.prompt.metadata).toMatchObject({ version: 1, title: 'Greeting' });
  });

  it('runs the named version, and counts the usage for this version', async () => {
    const { id, _link } = await promptWith(2);
    await label(_link, 'production', { version: 1 });
    app.model.requests.length = 0;
    const { status } = await app.call<RunResult>('POST', `${_link}/openai?label=production`, {
      body: { message: 'Hi' },
    });
    expect(status).toBe(200);
    expect(app.model.requests[0]?.body.messages[0]).toEqual({ role: 'system', content: 'version 1' });
    expect(await app.db.prisma.usageEvent.findFirst({ where: { subject_id: id } })).toMatchObject({
      subject_version: 1,
    });
  });

  it('uses the new version, even on another replica, as soon as the label has moved', async () => {
    const other = await app.startReplica();
    const { _link } = await promptWith(2);
    for (let round = 0; round < 20; round += 1) {
      const version = (round % 2) + 1;
      await label(_link, 'staging', { version });
      const { body } = await other.call<GenerateResult>('POST', _link, { body: { label: 'staging' } });
      expect(body.data.static).toBe(`version ${version}`);
    }
  });

  it.each([
    [{ version: 9 }, '', 'version'],
    [{ label: 'none' }, '', 'label'],
    [{}, '?version=9', 'version'],
    [{}, '?label=none', 'label'],
    [{ version: 1, label: 'x' }, '', 'label'],
    [{ version: 1 }, '?version=1', 'version'],
    [{ label: 'a b' }, '', 'label'],
    [{}, '?version=x', 'version'],
  ])('answers 400 to %j%s, and the error names %s', async (body, query, field) => {
    const { _link } = await promptWith(1);
    for (const path of [_link, `${_link}/openai`]) {
      const answer = await app.call('POST', `${path}${query}`, { body: { message: 'Hi', ...body } });
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
        status: 400,
        code: 'validation_error',
      });
      expect(answer.body.message).toContain(`${field}: `);
    }
  });

  it('answers 404 for a prompt of another project and for an unknown prompt', async () => {
    const { _link } = await promptWith(1);
    for (const [at, key] of [
      [_link, commerce],
      [`/v1/prompt/${UNKNOWN}`, undefined],
    ] as const) {
      expect((await app.call('POST', at, { body: { version: 1 }, ...(key && { key }) })).status).toBe(404);
    }
  });
});

describe('DELETE /v1/prompt/{uuid}', () => {
  it('answers 204 and writes an audit entry; no operation then finds the prompt, its versions, definitions or labels', async () => {
    const { id, _link, input } = await promptWith(3);
    await label(_link, 'production', { version: 2 });
    const total = async () => Number((await app.call('GET', '/v1/prompt')).headers.get('x-total-count'));
    const before = await total();
    const { status, text } = await app.call('DELETE', `${_link}?reason=Withdrawn`);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    for (const path of [_link, `${_link}/version/1`, `${_link}/version`, `${_link}/label`, `/v1/input/${input.id}`]) {
      expect((await app.call('GET', path)).status).toBe(404);
    }
    expect((await app.call('DELETE', _link)).status).toBe(404);
    for (const [method, path, body] of [
      ['PUT', _link, { metadata: { title: 'x' } }],
      ['PUT', `${_link}/label/a`, { version: 1 }],
      ['POST', `${_link}/version/1/restore`, {}],
      ['POST', `${_link}/render`, { message: 'x' }],
      ['POST', `${_link}/run`, { message: 'x' }],
      ['GET', `${_link}/version/1/usage`],
      ['GET', `${_link}/version/2/diff`],
    ] as const)
      expect({ path, status: (await app.call(method, path, { ...(body && { body }) })).status }).toEqual({
        ...{ path, status: 404 },
      });
    expect(await total()).toBe(before - 1);
    expect(await app.db.prisma.prompt.findUnique({ where: { id } })).toMatchObject({
      deleted_at: expect.any(Date) as Date,
    });
    expect(await app.db.prisma.promptLabel.count({ where: { prompt_id: id } })).toBe(0);
    expect(await audit(id, 'prompt.delete')).toHaveLength(1);
  });

  it('answers 412 for a stale If-Match, and 409 while another prompt refers to the prompt', async () => {
    const base = await promptWith(2);
    expect((await app.call('DELETE', base._link, { headers: { 'if-match': '"d-1"' } })).status).toBe(412);
    const user = (
      await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, output: { reference: [base.output.id] } } })
    ).body;
    expect((await app.call('DELETE', base._link)).status).toBe(409);
    expect((await app.call('DELETE', user._link)).status).toBe(204);
    expect((await app.call('DELETE', base._link, { headers: { 'if-match': '"d-2"' } })).status).toBe(204);
  });

  it('keeps the conversations of its runs', async () => {
    const { _link } = await promptWith(1);
    const run = await app.call<RunResult>('POST', `${_link}/openai`, { body: { message: 'Hi' } });
    await app.call('DELETE', _link);
    expect((await app.call('GET', run.body.data.conversation._link)).status).toBe(200);
  });
});
