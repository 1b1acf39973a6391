import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../../test-runtime.js';
import { messageOf, readEvents } from '@millwright/mcp/messages';
import { startModernServer, type ModernServer } from './test-v2026-server.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let server: ModernServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  [token, other, server] = await Promise.all([runtime.newToken(), runtime.start(), startModernServer()]);
  await runtime.newMcpServer({ name: 'modern', url: server.url });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([server.close(), database.drop(), model.close()]);
});

const PATH = '/api/v1/mcp/modern/mcp';
const bearer = () => ({ authorization: `Bearer ${token}` });

async function connect(answer: () => object = () => ({ action: 'accept', content: { name: 'Ada' } })): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {}, roots: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => answer());
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] }));
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${runtime.url}${PATH}`), { requestInit: { headers: bearer() } }),
  );
  return client;
}

const call = async (client: Client, name: string, options?: object) => {
  const { content } = await client.callTool({ name, arguments: {} }, undefined, options);
  return (content as { text: string }[])[0]?.text;
};

/** Sends a message of a legacy client in its session. */
const post = (message: object, session: Record<string, string> = {}, at: Replica = runtime) =>
  fetch(`${at.url}${PATH}`, {
    method: 'POST',
    headers: {
      ...{ ...bearer(), ...session, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

async function openSession(capabilities: object) {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const opened = await post({ id: 0, method: 'initialize', params });
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

interface Message {
  id?: string | number;
  method?: string;
  params?: object;
  result?: object;
  error?: { message: string };
}

async function* messages(response: Response): AsyncGenerator<Message, undefined> {
  for await (const event of readEvents(response.body ?? [])) {
    const message = messageOf(event) as Message | undefined;
    if (message) yield message;
  }
}

const greet = (session: Record<string, string>) =>
  post({ id: 'call', method: 'tools/call', params: { name: 'greet', arguments: {} } }, session);
const questionsOf = () => runtime.db.prisma.mcpSession.findMany({ select: { questions: true } });

describe('an input request of a modern server to a legacy client', () => {
  it('is answered by the client, and the call continues with the answer', async () => {
    const client = await connect();
    expect(await call(client, 'greet')).toBe('Hello, Ada');
    await client.close();
  });

  it('can be answered with a refusal', async () => {
    const client = await connect(() => ({ action: 'decline' }));
    expect(await call(client, 'greet')).toBe('Hello, decline');
    await client.close();
  });

  it('can be followed by a second input request; the server gets its requestState back unchanged', async () => {
    const client = await connect();
    expect(await call(client, 'interview')).toBe('Ada has 2 roots');
    await client.close();
  });

  it('fails when the client cannot answer', async () => {
    const client = await connect(() => {
      throw new McpError(-32000, 'nobody is there');
    });
    await expect(call(client, 'greet')).rejects.toThrow('refused an input request');
    await client.close();
    expect((await questionsOf()).every(({ questions }) => JSON.stringify(questions) === '{}')).toBe(true);
  });

  it('is sent only for capabilities that the client declared', async () => {
    const session = await openSession({ sampling: {} });
    expect(await (await greet(session)).json()).toMatchObject({ id: 'call', error: { code: -32021 } });
  });

  it('is answered when the client posts the answer to another process', async () => {
    const session = await openSession({ elicitation: {} });
    const received = messages(await greet(session));
    const question = (await received.next()).value;
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who are you?' } });
    const result = { action: 'accept', content: { name: 'Grace \0 é' } };
    expect((await post({ id: question?.id, result }, session, other)).status).toBe(202);
    expect((await received.next()).value).toMatchObject({
      id: 'call',
      result: { content: [{ text: 'Hello, Grace \0 é' }] },
    });
  });

  it('accepts only the first answer, and only in the same session and while the request is open', async () => {
    const [session, another] = [await openSession({ elicitation: {} }), await openSession({ elicitation: {} })];
    const received = messages(await greet(session));
    const id = (await received.next()).value?.id;
    const answer = (name: string) => ({ result: { action: 'accept', content: { name } } });
    await post({ id, ...answer('Eve') }, another);
    await post({ id: 'nothing', ...answer('Eve') }, session);
    await post({ id, ...answer('Ada') }, session);
    await post({ id, ...answer('Eve') }, session);
    expect((await received.next()).value).toMatchObject({ result: { content: [{ text: 'Hello, Ada' }] } });
  });

  it('ends when the call is cancelled', async () => {
    const asked = Promise.withResolvers<string>();
    const client = await connect(() => {
      asked.resolve('asked');
      return new Promise<object>(() => undefined);
    });
    const leaving = new AbortController();
    const calling = call(client, 'greet', { signal: leaving.signal });
    await asked.promise;
    leaving.abort(new Error('left'));
    await expect(calling).rejects.toThrow();
    await client.close();
    for (let open = true; open;)
      open = (await questionsOf()).some(({ questions }) => JSON.stringify(questions) !== '{}');
  });
});

describe('a call that waits for its user', () => {
  it("counts towards the user's limit of sixteen waiting calls; the seventeenth call is refused", async () => {
    const session = await openSession({ elicitation: {} });
    const waiting = await Promise.all(Array.from({ length: 16 }, async () => messages(await greet(session))));
    const ids = await Promise.all(waiting.map(async (received) => (await received.next()).value?.id));
    const refused = await (await greet(session)).text();
    expect(refused).toContain('Too many calls of the user wait for an answer');
    for (const id of ids) await post({ id, result: { action: 'accept', content: { name: 'Ada' } } }, session);
    for (const received of waiting)
      expect((await received.next()).value).toMatchObject({ result: { content: [{ text: 'Hello, Ada' }] } });
  });
});

describe('a session that this installation stores for a legacy client of a modern server', () => {
  it("is refused when the client's capabilities exceed 4 KiB", async () => {
    const capabilities = { elicitation: { form: 'x'.repeat(4_096) } };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } };
    const answer = await post({ id: 1, method: 'initialize', params });
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('ends when its user opens a fifty-first session, if its last use is the longest ago', async () => {
    const first = await openSession({});
    await runtime.db.prisma.mcpSession.updateMany({ data: { used_at: new Date(Date.now() - 60_000) } });
    for (let n = 0; n < 50; n++) await openSession({});
    expect(await runtime.db.prisma.mcpSession.count({ where: { user_id: runtime.owner.id } })).toBe(50);
    expect((await post({ id: 3, method: 'ping' }, first)).status).toBe(404);
  });
});

describe('a legacy client of a modern server', () => {
  it('subscribes to resources, and receives their updates until it unsubscribes', async () => {
    const client = await connect();
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    const notifyUntil = async (done: () => boolean) => {
      while (!done()) {
        for (const uri of ['note://1', 'note://2', 'note://3']) server.notifyResourceUpdated(uri);
        await client.ping();
      }
    };
    await client.subscribeResource({ uri: 'note://1' });
    await notifyUntil(() => updated.includes('note://1'));
    await client.subscribeResource({ uri: 'note://2' });
    await notifyUntil(() => updated.includes('note://2'));
    await client.unsubscribeResource({ uri: 'note://1' });
    await client.subscribeResource({ uri: 'note://3' });
    await notifyUntil(() => updated.includes('note://3'));
    expect(updated.slice(updated.indexOf('note://3'))).not.toContain('note://1');
    await client.close();
  });

  it.each([undefined, 7, 'x'.repeat(2_001), 'note://\0'])('gets an error when it subscribes to %p', async (uri) => {
    const session = await openSession({});
    const answer = await post({ id: 3, method: 'resources/subscribe', params: { uri } }, session);
    expect(await answer.json()).toMatchObject({ id: 3, error: { code: -32602 } });
  });

  it('has at most a hundred subscriptions', async () => {
    const session = await openSession({});
    const subscriptions = Array.from({ length: 100 }, (_, n) => `note://${n}`);
    await runtime.db.prisma.mcpSession.updateMany({ data: { subscriptions } });
    const subscribe = async (uri: string) =>
      (await post({ id: 3, method: 'resources/subscribe', params: { uri } }, session)).json();
    expect(await subscribe('note://7')).toMatchObject({ id: 3, result: {} });
    expect(await subscribe('note://100')).toMatchObject({ id: 3, error: { code: -32602 } });
  });
});
