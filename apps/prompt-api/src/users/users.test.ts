import { createUser } from '@millwright/accounts';
import { encodeId, newId } from '@millwright/db';
import { greeting, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { Prompt } from '../prompts/prompts.contract.js';
import type { UserStatus } from './users.contract.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

const me = (options: CallOptions = {}) => app.call<UserStatus>('GET', '/v1/user/me', options);
const rename = (id: string, body: object, options: CallOptions = {}) =>
  app.call<UserStatus & Failure>('PATCH', `/v1/user/${id}`, { ...options, body });

describe.each(['/v1/user/me', '/v1/user/mcp'])('GET %s', (path) => {
  it("returns the caller's account, the content of their project and their own usage, but no credential", async () => {
    const prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {} } })).body;
    await app.call('POST', `/v1/prompt/${prompt.id}/openai`, { body: { message: 'Hi' } });
    await app.call('POST', '/v1/block', { body: { prefix: 'counted', metadata: {} } });
    const { status, body, text } = await app.call<UserStatus>('GET', path);
    expect(status).toBe(200);
    const { id, name } = app.author;
    expect(body).toMatchObject({
      user: {
        id,
        uuid: id,
        name,
        email: 'ada@example.com',
        roles: ['user', 'admin', 'platform_admin'],
        project: 'Core',
      },
      content: { prompt: 1, artifact: 0, block: 1, conversation: 1 },
      usage: { ai: { execution: 1 } },
    });
    expect(body.usage.ai.token).toBeGreaterThan(0);
    expect(text).not.toContain('mw_live_');
    const elsewhere = await app.call<UserStatus>('GET', path, { key: await app.issueKey({ project: 'Commerce' }) });
    expect(elsewhere.body).toMatchObject({
      content: { prompt: 0, block: 0, conversation: 0 },
      usage: { ai: { execution: 0, token: 0 } },
    });
  });
});

describe('the usage of GET /v1/user/me', () => {
  it('is the total of the daily sums and of the events after the last daily sum', async () => {
    const key = await app.issueKey({ project: 'Commerce' });
    const used = async () => (await app.call<UserStatus>('GET', '/v1/user/me', { key })).body.usage.ai;
    const row = { project: 'Commerce', user_id: app.author.id, kind: 'prompt_run', model: 'm' };
    await app.db.prisma.usageEvent.create({
      data: { ...row, id: newId(), subject_id: newId(), prompt_tokens: 2, completion_tokens: 1 },
    });
    expect(await used()).toEqual({ execution: 1, token: 3 });
    const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
    await app.db.prisma.usageDay.create({
      data: { ...row, day, events: 7, prompt_tokens: 70n, completion_tokens: 7n },
    });
    expect(await used()).toEqual({ execution: 7, token: 77 });
    await app.db.prisma.usageDay.deleteMany();
    await app.db.prisma.usageEvent.deleteMany({ where: { project: 'Commerce' } });
  });
});

describe('ETag of GET /v1/user/me', () => {
  it('changes when a count in the answer changes, leads to 304 while it is unchanged, and can be sent to PATCH /v1/user/{uuid}', async () => {
    const tag = async () => String((await app.call('GET', '/v1/user/me')).headers.get('etag'));
    const first = await tag();
    expect(first).toMatch(/^"d-1-[0-9a-f]{32}"$/);
    expect((await app.call('GET', '/v1/user/me', { headers: { 'if-none-match': first } })).status).toBe(304);
    await app.call('POST', '/v1/block', { body: { prefix: 'tagged', metadata: {} } });
    expect(await tag()).not.toBe(first);
    const ifMatch = { headers: { 'if-match': first } };
    const renamed = await rename(app.author.id, { user: { name: 'Ada B.' } }, ifMatch);
    expect([renamed.status, renamed.headers.get('etag')]).toEqual([200, await tag()]);
    expect((await rename(app.author.id, { user: { name: 'Late' } }, ifMatch)).status).toBe(412);
  });
});

describe('PATCH /v1/user/{uuid}', () => {
  it("changes the caller's own name and nothing else, with an audit row", async () => {
    const { id } = app.author;
    const sent = {
      user: { name: '  Ada L. ', email: 'eve@example.com', roles: ['root'] },
      name: 'No',
      instruction: { personal: {} },
      status: 'inactive',
    };
    const { status, body } = await rename(id, sent);
    expect({ status, name: body.user.name, email: body.user.email }).toEqual({
      status: 200,
      name: 'Ada L.',
      email: 'ada@example.com',
    });
    expect((await me()).body.user.name).toBe('Ada L.');
    expect(await app.db.prisma.user.findUnique({ where: { id } })).toMatchObject({
      name: 'Ada L.',
      email: 'ada@example.com',
      status: 'active',
      version: 2,
    });
    const rows = await app.db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('usr', id), action: 'user.rename' },
    });
    expect(rows).toMatchObject([{ user_id: id, detail: { from: 'Ada', to: 'Ada L.' } }]);
    expect((await rename(id.toUpperCase(), { user: { name: 'Ada' } })).status).toBe(200);
  });

  it('changes nothing when the request has no name', async () => {
    const { id } = app.author;
    expect((await rename(id, { instruction: {} })).status).toBe(200);
    expect(await app.db.prisma.user.findUnique({ where: { id } })).toMatchObject({ name: 'Ada', version: 1 });
  });

  it('answers 400 to an invalid name, and 412 to a stale If-Match', async () => {
    const { id } = app.author;
    for (const name of ['', '  ', 3, 'x'.repeat(201), 'a\0b']) {
      const { status, body } = await rename(id, { user: { name } });
      expect(status).toBe(400);
      expect(body.message).toContain(' user.name: ');
    }
    expect((await rename(id, { user: { name: 'Late' } }, { headers: { 'if-match': '"d-7"' } })).status).toBe(412);
    expect((await me()).body.user.name).toBe('Ada');
  });

  it("answers 404 for another user's account, also to an admin, and changes nothing", async () => {
    const email = 'bo@example.com';
    await app.db.transaction((tx) =>
      createUser(tx, { email, name: 'Bo', role: 'user', platformAdmin: false, project: 'Core' }),
    );
    const { id } = await app.db.prisma.user.findUniqueOrThrow({ where: { email } });
    expect((await rename(id, { user: { name: 'Taken' } })).status).toBe(404);
    expect(await app.db.prisma.user.findUnique({ where: { id } })).toMatchObject({ name: 'Bo', version: 1 });
  });
});
