import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import {
  startLegacyTaskServer,
  startModernTaskServer,
  type ModernTaskServer,
  type TaskServer,
} from './test-task-servers.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let legacy: TaskServer;
let modern: ModernTaskServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  [token, legacy, modern] = await Promise.all([runtime.newToken(), startLegacyTaskServer(), startModernTaskServer()]);
  await runtime.newMcpServer({ name: 'legacy', url: legacy.url });
  await runtime.newMcpServer({ name: 'modern', url: modern.url });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([legacy.close(), modern.close(), database.drop(), model.close()]);
});

const urlOf = (server: string) => `${runtime.url}/api/v1/mcp/${server}/mcp`;
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

interface Task {
  resultType: string;
  taskId: string;
  status: string;
  ttlMs?: number;
  pollIntervalMs?: number;
  result?: { content: { text: string }[]; isError?: boolean };
}
interface Answer {
  status: number;
  result?: Task & { capabilities?: Record<string, unknown> };
  error?: { code: number; data?: unknown };
}

/** Sends the HTTP request that a client of 2026-07-28 would send. */
async function ask(
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = TASKS,
): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const name = params['name'] ?? params['taskId'];
  const response = await fetch(urlOf('legacy'), {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}
const call = (end: string, capabilities?: object) =>
  ask('tools/call', { name: 'slow', arguments: { end } }, capabilities);
async function ended(taskId: string): Promise<Task> {
  for (;;) {
    const { result } = await ask('tasks/get', { taskId });
    if (result?.status !== 'working') return result as Task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('tasks of a server of 2025-11-25, for a client of 2026-07-28', () => {
  it('are declared as the Tasks extension in the capabilities of the server', async () => {
    const { capabilities } = (await ask('server/discover')).result ?? {};
    expect(capabilities).toMatchObject(TASKS);
    expect(capabilities).not.toHaveProperty('tasks');
  });

  it.each(['well', 'badly'])(
    "begin with a call of the tool %s, can be polled, and return the tool's result",
    async (end) => {
      const { result } = await call(end);
      expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 60_000, pollIntervalMs: 20 });
      expect(result).not.toHaveProperty('ttl');
      const done = await ended(result?.taskId ?? '');
      expect(done).toMatchObject({
        ...{ resultType: 'complete', status: 'completed' },
        result: { content: [{ text: `Ended: ${end}` }], isError: end === 'badly' },
      });
    },
  );

  it('can be canceled, and the cancellation is acknowledged', async () => {
    const { taskId = '' } = (await call('never')).result ?? {};
    expect((await ask('tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({
      resultType: 'complete',
    });
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect((await ended(taskId)).status).toBe('cancelled');
  });

  it('require that the client declares the Tasks extension in the call and in each request about a task', async () => {
    const { taskId = '' } = (await call('never')).result ?? {};
    for (const answer of [
      await call('well', {}),
      await ask('tasks/get', { taskId }, {}),
      await ask('tasks/cancel', { taskId }, {}),
    ])
      expect(answer).toMatchObject({ status: 400, error: { code: -32021, data: { requiredCapabilities: TASKS } } });
  });

  it("are answered with the server's refusal when their id is unknown or missing", async () => {
    expect((await ask('tasks/get', { taskId: 'unknown' })).error?.code).toBe(-32602);
    expect((await ask('tasks/get')).error?.code).toBe(-32602);
  });

  it('are not created for calls that the server answers immediately', async () => {
    const { result } = await ask('tools/call', { name: 'quick', arguments: {} });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'Quick.' }] });
  });
});

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(urlOf('modern')), { requestInit }));
  return client;
}

describe('a task of a server of 2026-07-28, for the stock client of 2025-11-25', () => {
  it.each([
    ['work', 'Worked.'],
    ['greet', 'Hello, Ada'],
  ])('is awaited by the call of %s, which relays input requests and returns the result', async (name, expected) => {
    const client = await connect();
    const { content } = await client.callTool({ name, arguments: {} });
    expect(content).toEqual([{ type: 'text', text: expected }]);
    for (const { name: header } of modern.seen) expect(header).toMatch(/^[0-9a-f-]{36}$/);
    await client.close();
  });

  it('has its status messages reported as progress of the call', async () => {
    const client = await connect();
    const progress: unknown[] = [];
    await client.callTool({ name: 'work', arguments: {} }, undefined, { onprogress: (one) => progress.push(one) });
    expect(progress.length).toBeGreaterThanOrEqual(2);
    expect(progress.at(-1)).toMatchObject({ message: 'At work.' });
    await client.close();
  });

  it('makes the call fail when the task fails', async () => {
    const client = await connect();
    await expect(client.callTool({ name: 'fail', arguments: {} })).rejects.toThrow('It broke.');
    await client.close();
  });

  it('is canceled with the call', async () => {
    const client = await connect();
    modern.seen.splice(0);
    const over = new AbortController();
    const hanging = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: over.signal });
    while (!modern.seen.some(({ method }) => method === 'tasks/get'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    over.abort();
    await expect(hanging).rejects.toThrow();
    while (!modern.seen.some(({ method }) => method === 'tasks/cancel'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await client.close();
  });
});
