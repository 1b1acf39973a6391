import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  type FakeMcpServer,
  type FakeModel,
  type McpEra,
  type TestDatabase,
} from '@millwright/testing';
import { newId } from '@millwright/db';
import { INTERNAL_ERROR, JsonRpcRefusal } from '@millwright/mcp/json-rpc';
import type { McpAnswer, McpCall } from '../endpoint/mcp-call.js';
import { createKeyedCalls } from './keyed-call.js';
import { startRuntime, type Replica, type TestRuntime } from '../../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let server: FakeMcpServer;
let name: string;
let count = 0;
const SERVER_ID = newId();

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  [token, other] = await Promise.all([runtime.newToken(), runtime.start()]);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
afterEach(() => server.close());

async function open(era: McpEra = 'modern') {
  server = await createFakeMcpServer(era, [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }]);
  name = `bank${(count += 1)}`;
  await runtime.newMcpServer({ name, url: server.url });
}

const path = () => `/api/v1/mcp/${name}/mcp`;
const headersOf = (key: string) => ({ authorization: `Bearer ${token}`, 'idempotency-key': key });

async function connectV2025(key: string) {
  const client = new LegacyClient({ name: 'test', version: '1' });
  const requestInit = { headers: headersOf(key) };
  await client.connect(new LegacyTransport(new URL(runtime.url + path()), { requestInit }));
  return client;
}
async function connectV2026(key: string) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: headersOf(key) };
  await client.connect(new StreamableHTTPClientTransport(new URL(runtime.url + path()), { requestInit }));
  return client;
}
const CLIENTS = { '2025-11-25': connectV2025, '2026-07-28': connectV2026 };

interface Reply {
  status: number;
  id?: number;
  result?: { content: { text: string }[] };
  error?: { code: number; message: string };
}

interface Sent {
  at?: Pick<Replica, 'url'>;
  id?: number;
  by?: string;
  meta?: object;
}

/** Sends one `tools/call` of the tool `pay` without a session. */
async function pay(
  key: string | undefined,
  args: object = { euros: 5 },
  { at = runtime, id = 1, by = token, meta = {} }: Sent = {},
) {
  const response = await fetch(at.url + path(), {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${by}`, 'content-type': 'application/json', accept: 'application/json' },
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'pay', arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) },
    }),
  });
  return { ...((await response.json()) as Omit<Reply, 'status'>), status: response.status };
}
const UNKNOWN = { code: -32011, message: expect.stringContaining('unknown') as string };

describe('tools/call with an idempotency key', () => {
  it.each<[keyof typeof CLIENTS, McpEra]>([
    ['2025-11-25', 'sessions'],
    ['2025-11-25', 'modern'],
    ['2026-07-28', 'sessions'],
    ['2026-07-28', 'modern'],
  ])('from a client of %s reaches a server of the era %s once, even when it is repeated', async (version, era) => {
    await open(era);
    const client = await CLIENTS[version]('k-1');
    const call = () => client.callTool({ name: 'pay', arguments: { euros: 5, to: 'Ada' } });
    const first = await call();
    expect(await client.callTool({ name: 'pay', arguments: { to: 'Ada', euros: 5 } })).toEqual(first);
    await expect(client.callTool({ name: 'pay', arguments: { euros: 6 } })).rejects.toThrow('used for another call');
    expect(server.calls).toHaveLength(1);
    await client.close();
  });

  it('reaches the server once when it is sent twenty times to two processes', async () => {
    await open();
    const sent = Array.from({ length: 20 }, (_, n) => pay('k-20', {}, { at: n % 2 ? runtime : other, id: n }));
    const answers = await Promise.all(sent);
    expect(server.calls).toHaveLength(1);
    const underWay = answers.filter(({ error }) => error);
    for (const { error, status } of underWay)
      expect([status, error?.message]).toEqual([503, 'A call with this idempotency key is under way']);
    expect(await pay('k-20', {}, { id: 77 })).toMatchObject({ id: 77, result: { content: [{ text: 'pay {}' }] } });
    expect(server.calls).toHaveLength(1);
  });

  it('may have the key in _meta, is refused with an invalid key or two different keys, and is a new call when another user sends it', async () => {
    await open();
    const meta = { 'millwright/idempotency-key': 'k-2' };
    await pay(undefined, {}, { meta });
    await pay('k-2', {});
    await pay('k-2', {}, { meta });
    expect(server.calls).toHaveLength(1);
    expect((await pay('other', {}, { meta })).error).toMatchObject({ code: -32602 });
    expect((await pay('two words', {})).error).toMatchObject({ code: -32602 });
    const grace = await runtime.newUser('grace@example.com');
    await pay('k-2', {}, { by: await runtime.newToken({ userId: grace.id }) });
    expect(server.calls).toHaveLength(2);
  });

  it('has an unknown outcome and is never sent to the server again when its answer was lost', async () => {
    await open();
    server.answer = () => {
      server.dropConnections();
      return { content: [] };
    };
    expect((await pay('k-3')).error).toMatchObject({ code: -32603 });
    server.answer = () => ({ content: [{ type: 'text', text: 'again' }] });
    expect((await pay('k-3')).error).toMatchObject(UNKNOWN);
    expect((await pay('k-3', {}, { at: other })).error).toMatchObject({ code: -32602 });
    expect(server.calls).toHaveLength(1);
  });

  it('has an unknown outcome when the process that made it died', async () => {
    await open();
    const begun = Promise.withResolvers<string>();
    const over = Promise.withResolvers<string>();
    server.answer = async () => {
      begun.resolve('begun');
      await over.promise;
      return { content: [] };
    };
    const first = pay('k-4');
    await begun.promise;
    await runtime.db.prisma.$executeRaw`UPDATE idempotency_keys SET lease_until = now() - interval '1 second'`;
    expect((await pay('k-4', { euros: 5 }, { at: other })).error).toMatchObject(UNKNOWN);
    expect(server.calls).toHaveLength(1);
    over.resolve('over');
    await first;
  });

  it('can be sent again under its key when the first call was refused or did not reach the server', async () => {
    await open();
    await runtime.db.prisma.$executeRaw`UPDATE mcp_tools SET rule = 'deny', rule_hash = approved_hash`;
    expect((await pay('k-5')).error).toMatchObject({ code: -32600 });
    await runtime.db.prisma.$executeRaw`UPDATE mcp_tools SET rule = NULL, rule_hash = NULL`;
    await runtime.db.prisma.$executeRaw`UPDATE mcp_servers SET status = 'unreachable' WHERE slug = ${name}`;
    expect((await pay('k-5')).status).toBe(503);
    await runtime.db.prisma.$executeRaw`UPDATE mcp_servers SET status = 'active' WHERE slug = ${name}`;
    expect((await pay('k-5')).result).toMatchObject({ content: [{ text: 'pay {"euros":5}' }] });
    expect(server.calls).toHaveLength(1);
  });

  describe('that ends with an internal error', () => {
    const request = { kind: 'request', id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } } as const;
    const callWith = (key: string) =>
      ({ principal: { user: { id: newId() } }, headers: { 'idempotency-key': key } }) as unknown as McpCall;
    const failure = () => new JsonRpcRefusal(503, INTERNAL_ERROR, 'Too many calls of the user wait for an answer', 1);
    const made = (text: string) => ({ status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }) });
    const eventsOf = (...events: object[]) =>
      ReadableStream.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`));
    const errorEvent = { jsonrpc: '2.0', id: 1, error: { code: INTERNAL_ERROR, message: 'The client did not answer' } };
    const keyed = () => createKeyedCalls(runtime.db);
    const textOf = async ({ body }: McpAnswer) => {
      let text = '';
      for await (const part of typeof body === 'string' ? [body] : (body ?? [])) text += part;
      return text;
    };

    it('leaves its key unused when the call was never sent', async () => {
      await open();
      const call = callWith('never-sent');
      await expect(keyed()({ id: SERVER_ID }, call, request, () => Promise.reject(failure()))).rejects.toThrow('wait');
      await textOf(
        await keyed()({ id: SERVER_ID }, call, request, () =>
          Promise.resolve({ status: 200, body: eventsOf(errorEvent) }),
        ),
      );
      expect(
        await textOf(await keyed()({ id: SERVER_ID }, call, request, () => Promise.resolve(made('once')))),
      ).toContain('once');
    });

    it('has an unknown outcome under its key when the call was sent', async () => {
      await open();
      const call = callWith('sent');
      const send = (watched: McpCall) => {
        watched.onSend?.();
        return Promise.resolve({ status: 200, body: eventsOf(errorEvent) });
      };
      await textOf(await keyed()({ id: SERVER_ID }, call, request, send));
      await expect(keyed()({ id: SERVER_ID }, call, request, () => Promise.resolve(made('again')))).rejects.toThrow(
        'unknown',
      );
    });
  });
});
