import { setTimeout as sleep } from 'node:timers/promises';
import { disableUser, issueApiKey } from '@millwright/accounts';
import { decodeId, encodeId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { agentIdOf, startRuntime, type TestRuntime, type TestUser } from './test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  model = await createFakeModel();
  runtime = await startRuntime(database.url, model.url);
  await runtime.newAgent({ name: 'helper' });
});
afterAll(async () => {
  await runtime.close();
  await model.close();
  await database.drop();
});

async function newKey(scopes: readonly string[], user: Pick<TestUser, 'id' | 'actor'> = runtime.owner) {
  const key = { userId: user.id, name: 'k', scopes: [...scopes], plan: 'standard' as const, project: 'Core' as const };
  const issued = await runtime.db.transaction((tx) => issueApiKey(tx, key, user.actor));
  return { ...issued, call: runtime.as(issued.key) };
}

const message = { content: 'hello' };
const list = { jsonrpc: '2.0', method: 'tools/list', id: 1 };

describe('an API key at the runtime API', () => {
  it('can send messages to agents, list runs, and list tools of MCP servers when it has the scopes for these requests', async () => {
    const { call } = await newKey(['agents:message', 'runs:read', 'mcp:read']);
    const sent = await call('POST', '/api/v1/agents/helper/messages', { json: message });
    expect(sent.status).toBe(200);
    const runs = await call('GET', '/api/v1/runs');
    expect(runs.status).toBe(200);
    expect(runs.body).toMatchObject({ items: [{ subject: { name: 'helper' }, channel: 'messages' }] });
    expect((await call('POST', '/api/v1/mcp/platform/mcp', { json: list })).status).toBe(200);
  });

  it('gets its user, project and scopes from whoami, like an access token', async () => {
    const { call } = await newKey(['runs:read', 'agents:message']);
    const { status, body } = await call('GET', '/api/v1/whoami');
    expect([status, body]).toEqual([
      200,
      {
        user: { id: encodeId('usr', runtime.owner.id), name: 'ada', email: 'ada@example.com' },
        ...{ project: 'Core', roles: ['user'], scopes: ['agents:message', 'runs:read'] },
        credential: { kind: 'api_key', plan: 'standard' },
      },
    ]);
    const byToken = await runtime.as(await runtime.newToken({ scopes: ['content:read'] }))('GET', '/api/v1/whoami');
    expect(byToken.body).toMatchObject({ scopes: ['content:read'], credential: { kind: 'access_token' } });
    expect((await runtime.as()('GET', '/api/v1/whoami')).status).toBe(401);
  });

  it('is stored with the usage of the runs that it starts, and with the usage of the agents that these runs call', async () => {
    const { id, call } = await newKey(['agents:message']);
    await runtime.newAgent({ name: 'asker', instructions: 'You ask.', callees: [await agentIdOf(runtime, 'helper')] });
    model.answerWith(({ body: { messages } }) => {
      const asks = JSON.stringify(messages[0]).includes('You ask.') && messages.at(-1)?.role === 'user';
      const ask = { name: 'ask_helper', arguments: JSON.stringify({ message: 'hello' }) };
      return asks ? { toolCalls: [{ id: 'a', type: 'function', function: ask }] } : 'Hello.';
    });
    expect((await call('POST', '/api/v1/agents/asker/messages', { json: message })).status).toBe(200);
    const ids = await Promise.all(['asker', 'helper'].map((slug) => agentIdOf(runtime, slug)));
    const used = await runtime.db.prisma.usageEvent.findMany({
      where: { key_id: decodeId('key', id) ?? null },
      orderBy: { id: 'asc' },
    });
    expect(used.map(({ kind, subject_id }) => [kind, ids.indexOf(subject_id)])).toEqual([
      ['agent_step', 0],
      ['agent_message', 1],
      ['agent_message', 0],
    ]);
  });

  it('gets 403 from an endpoint whose scope it lacks', async () => {
    const { call } = await newKey(['content:read']);
    const asked = [
      call('POST', '/api/v1/agents/helper/messages', { json: message }),
      call('GET', '/api/v1/runs'),
      call('POST', '/api/v1/mcp/platform/mcp', { json: list }),
      call('POST', '/api/v1/agents/helper/a2a', { json: { jsonrpc: '2.0', method: 'message/send', id: 1 } }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('cannot access accounts, whatever scopes the key and its owner have', async () => {
    const admin = await runtime.newUser('admin@example.com', { role: 'admin' });
    const { call } = await newKey(['*', 'users:read', 'users:write'], admin);
    expect((await call('GET', '/api/v1/users')).status).toBe(403);
    expect((await call('GET', '/api/v1/agents/registry')).status).toBe(200);
  });

  it('works only in the project of the key', async () => {
    await runtime.newAgent({ name: 'elsewhere', project: 'Commerce' });
    const { call } = await newKey(['*']);
    expect((await call('POST', '/api/v1/agents/elsewhere/messages', { json: message })).status).toBe(404);
  });

  it('is stored with the time of its last use', async () => {
    const { id, call } = await newKey(['agents:read']);
    await call('GET', '/api/v1/agents/registry');
    const where = { id: decodeId('key', id) ?? id };
    let used: Date | null = null;
    while (used === null) {
      await sleep(10);
      used = (await runtime.db.prisma.userApiKey.findUniqueOrThrow({ where })).last_used_at;
    }
    expect(Date.now() - used.getTime()).toBeLessThan(60_000);
  });

  it('has its own rate limit, separate from other keys of its owner', async () => {
    const limited = await runtime.start({ multiplier: 0.002 });
    const [one, other] = [await newKey(['*']), await newKey(['*'])];
    const ask = async (key: string) => (await limited.as(key)('GET', '/api/v1/agents/registry')).status;
    expect([await ask(one.key), await ask(one.key), await ask(one.key)]).toEqual([200, 200, 429]);
    expect(await ask(other.key)).toBe(200);
  });

  it('is refused when it is wrong or revoked, or when its owner is disabled; the use of a revoked key is recorded', async () => {
    const gone = await runtime.newUser('gone@example.com');
    const [wrong, revoked, orphan] = [await newKey(['*']), await newKey(['*']), await newKey(['*'], gone)];
    const ask = async (key: string) => (await runtime.as(key)('GET', '/api/v1/agents/registry')).status;
    expect(await ask(orphan.key)).toBe(200);
    const where = { id: decodeId('key', revoked.id) ?? revoked.id };
    await runtime.db.prisma.userApiKey.update({ where, data: { revoked_at: new Date() } });
    await runtime.db.transaction((tx) => disableUser(tx, gone.id, runtime.owner.actor, () => undefined));
    const forged = `${wrong.key.slice(0, -8)}aaaaaaaa`;
    expect(await Promise.all([forged, revoked.key, orphan.key].map(ask))).toEqual([401, 401, 401]);
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'api_key.use' } });
    expect(rows.map(({ resource }) => resource)).toContain(revoked.id);
  });
});
