import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createFakeModel, createTestDatabase, listen, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../../test-runtime.js';
import { messageOf, readEvents } from '../event-stream.js';
import { startModernServer, type ModernServer } from './test-modern-server.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let token: string;
let server: ModernServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url, listen);
  [token, other, server] = await Promise.all([runtime.newToken(), runtime.start(), startModernServer(listen)]);
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

/** A message of a legacy client, in its session. */
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

describe('a modern server asks the legacy client that calls it', () => {
  it('and goes on with the answer', async () => {
    const client = await connect();
    expect(await call(client, 'greet')).toBe('Hello, Ada');
    await client.close();
  });

  it('and takes a no for an answer', async () => {
    const client = await connect(() => ({ action: 'decline' }));
    expect(await call(client, 'greet')).toBe('Hello, decline');
    await client.close();
  });

  it('again and again, and finds its state as it was', async () => {
    const client = await connect();
    expect(await call(client, 'interview')).toBe('Ada has 2 roots');
    await client.close();
  });

  it('and fails when the client cannot answer', async () => {
    const client = await connect(() => {
      throw new McpError(-32000, 'nobody is there');
    });
    await expect(call(client, 'greet')).rejects.toThrow('refused a question');
    await client.close();
    expect((await questionsOf()).every(({ questions }) => JSON.stringify(questions) === '{}')).toBe(true);
  });

  it('only for what the client said that it can be asked', async () => {
    const session = await openSession({ sampling: {} });
    expect(await (await greet(session)).json()).toMatchObject({ id: 'call', error: { code: -32021 } });
  });

  it('and has the answer that is posted to another process', async () => {
    const session = await openSession({ elicitation: {} });
    const told = messages(await greet(session));
    const question = (await told.next()).value;
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who are you?' } });
    const result = { action: 'accept', content: { name: 'Grace \0 é' } };
    expect((await post({ id: question?.id, result }, session, other)).status).toBe(202);
    expect((await told.next()).value).toMatchObject({
      id: 'call',
      result: { content: [{ text: 'Hello, Grace \0 é' }] },
    });
  });

  it('and takes the first answer, and none to what was not asked or in another session', async () => {
    const [session, another] = [await openSession({ elicitation: {} }), await openSession({ elicitation: {} })];
    const told = messages(await greet(session));
    const id = (await told.next()).value?.id;
    const answer = (name: string) => ({ result: { action: 'accept', content: { name } } });
    await post({ id, ...answer('Eve') }, another);
    await post({ id: 'nothing', ...answer('Eve') }, session);
    await post({ id, ...answer('Ada') }, session);
    await post({ id, ...answer('Eve') }, session);
    expect((await told.next()).value).toMatchObject({ result: { content: [{ text: 'Hello, Ada' }] } });
  });

  it('until the call is cancelled', async () => {
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

describe('a legacy client of a modern server', () => {
  it('subscribes to resources, and hears of them until it no longer wants to', async () => {
    const client = await connect();
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    const tellUntil = async (done: () => boolean) => {
      while (!done()) {
        for (const uri of ['note://1', 'note://2', 'note://3']) server.tellUpdated(uri);
        await client.ping();
      }
    };
    await client.subscribeResource({ uri: 'note://1' });
    await tellUntil(() => heard.includes('note://1'));
    await client.subscribeResource({ uri: 'note://2' });
    await tellUntil(() => heard.includes('note://2'));
    await client.unsubscribeResource({ uri: 'note://1' });
    await client.subscribeResource({ uri: 'note://3' });
    await tellUntil(() => heard.includes('note://3'));
    expect(heard.slice(heard.indexOf('note://3'))).not.toContain('note://1');
    await client.close();
  });

  it.each([undefined, 7, 'x'.repeat(2_001), 'note://\0'])('is refused a subscription to %p', async (uri) => {
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
