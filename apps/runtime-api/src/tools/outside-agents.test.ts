import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId, newId } from '@millwright/db';
import { readAgentCard, sendToAgent } from '@millwright/mcp/outside-agents';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { createFakeAgent, type FakeAgent } from '@millwright/testing/fake-agent';
import { decodeJwt } from 'jose';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let outside: FakeAgent;
let serverId: string;
let call: ReturnType<TestRuntime['as']>;
let token: string;
/** The number of tool calls that the model makes in a run. */
let calls: number;

beforeAll(async () => {
  [database, model, outside] = await Promise.all([createTestDatabase(), createFakeModel(), createFakeAgent()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  call = runtime.as(token);
  await runtime.newAgent({ name: 'Buyer' });
  const auth = { type: 'agent_token' } as const;
  ({ id: serverId } = await runtime.newMcpServer({ name: 'Mill', url: outside.url, transport: 'a2a', auth }));
  const config = { server_id: encodeId('ms', serverId) };
  await runtime.newPlugin({ name: 'mill', type: 'integration', config, agent: 'buyer' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), outside.close()]);
});
beforeEach(() => {
  calls = 1;
  model.requests.splice(0);
  outside.received.splice(0);
  outside.canceled.splice(0);
  outside.seen.splice(0);
  outside.reply = (text) => ({ state: 'completed', text: `Ground: ${text}` });
  model.answerWith(() =>
    model.requests.length > calls
      ? { content: 'It is done.' }
      : {
          content: null,
          toolCalls: [
            {
              ...{ id: `call_${newId()}`, type: 'function' as const },
              function: { name: 'mill__send_message', arguments: '{"message":"Rye"}' },
            },
          ],
        },
  );
});

const send = () => call('POST', '/api/v1/agents/buyer/messages', { json: { content: 'Buy flour.' } });
const lastRun = async () =>
  encodeId('run', (await runtime.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
const auditRows = () =>
  runtime.db.prisma.governanceDecision.findMany({ where: { action: 'mcp.call' }, orderBy: { id: 'desc' }, take: 3 });
const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(5);
};

describe('an agent of another system as a tool', () => {
  it('is called in one step of the run with a token that names the user, the agent and the run; the call has an audit row', async () => {
    expect((await send()).body).toMatchObject({ content: 'It is done.' });
    const runId = await lastRun();
    expect(outside.received).toMatchObject([{ text: 'Rye' }]);
    const { authorization = '' } = outside.seen.at(-1) ?? {};
    expect(decodeJwt(authorization.replace('Bearer ', ''))).toMatchObject({
      ...{ aud: outside.url, sub: runtime.owner.id, txn: runId, act: { version: 1 } },
    });
    const { items } = (await call('GET', `/api/v1/runs/${runId}/steps`)).body as { items: { kind: string }[] };
    expect(items.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model']);
    const [row] = await auditRows();
    expect(row).toMatchObject({ actor_id: 'Mill', detail: { tool: 'send_message', run: runId, agent: 'buyer' } });
  });

  it('taints the run with its answer', async () => {
    calls = 2;
    await send();
    expect((await auditRows()).slice(0, 2).map(({ detail }) => detail)).toEqual([
      expect.objectContaining({ tainted_by: ['mill__send_message'] }),
      expect.not.objectContaining({ tainted_by: expect.anything() as unknown }),
    ]);
  });

  it('is not called when the rule of its tool denies it, and waits when the rule is `ask`', async () => {
    const rule = (value: string) => runtime.db.prisma.$executeRaw`
      UPDATE mcp_tools SET rule = ${value}, rule_hash = approved_hash WHERE server_id = ${serverId}::uuid`;
    await rule('deny');
    await send();
    await rule('ask');
    model.requests.splice(0);
    expect((await send()).body).toMatchObject({ state: 'waiting', waiting_for: 'approval' });
    expect(outside.received).toEqual([]);
    await rule('allow');
  });

  it('receives a request to cancel its task when the run is canceled', async () => {
    outside.reply = () => ({ state: 'hang', text: '' });
    const sending = send();
    await until(() => outside.received.length === 1);
    await call('POST', `/api/v1/runs/${await lastRun()}/cancel`);
    await until(() => outside.canceled.length === 1);
    await sending;
  });

  it('has no MCP endpoint and is not in the registries of MCP servers', async () => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await call('POST', '/api/v1/mcp/mill/mcp', { json })).status).toBe(404);
    for (const path of ['/api/v1/mcp/registry', '/v0.1/servers'])
      expect((await call('GET', path)).text).not.toContain('mill"');
  });
});

it('an agent of this installation is an outside agent for another installation: its card is verified, and it answers', async () => {
  await runtime.newAgent({ name: 'Scribe', description: 'Writes.' });
  model.answerWith('Good morning.');
  const own: typeof fetch = (url, init) => {
    const address = String(url instanceof Request ? url.url : url).replace(RUNTIME_URL, runtime.url);
    return fetch(address, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${token}` },
    });
  };
  const source = {
    url: `${RUNTIME_URL}/.well-known/agent-cards/scribe`,
    require_signed_card: true,
    card_jwks_url: null,
  };
  const { card, signature } = await readAgentCard(source, { fetch: own, fetchKeys: own });
  expect([card.name, signature]).toEqual(['Scribe', 'verified']);
  const limits = { timeoutMs: 60_000, maxBytes: 1024 * 1024 };
  const sent = { card, messageId: newId(), fetch: own, fetchAfterwards: own, limits, signal: undefined };
  expect(JSON.parse((await sendToAgent({ message: 'Hello' }, sent)).text)).toMatchObject({
    ...{ state: 'completed', answer: 'Good morning.' },
  });
});
