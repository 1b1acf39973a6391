import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { callers, newToken } from './harness/calls.js';
import { connectLegacy, connectModern, type Connect } from './harness/mcp-clients.js';
import { registerMcpServer } from './harness/mcp.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { bridge, startEverything, type StockServer } from './harness/stock-servers.js';

const CLIENTS: [string, Connect][] = [
  ['@modelcontextprotocol/sdk', connectLegacy],
  ['@modelcontextprotocol/client', connectModern],
];

let model: FakeModel;
let platform: Platform;
let token: string;
let folder: string;
let servers: StockServer[];
let endpoints: { everything: string; filesystem: string; memory: string };

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'millwright-stock-')));
  model = await createFakeModel();
  const env = { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'house-model' };
  const [started, everything, filesystem, memory] = await Promise.all([
    startPlatform({ env }),
    startEverything(),
    bridge('filesystem', [folder]),
    bridge('memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  ]);
  platform = started;
  servers = [everything, filesystem, memory];
  endpoints = {
    everything: await registerMcpServer(platform, 'everything', everything.url),
    filesystem: await registerMcpServer(platform, 'filesystem', filesystem.url),
    memory: await registerMcpServer(platform, 'memory', memory.url),
  };
  token = await newToken(platform, platform.client);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all([model.close(), ...servers.map((server) => server.close())]);
  rmSync(folder, { recursive: true });
});

const textOf = ({ content }: { content: { text?: string }[] }) => content.map(({ text }) => text ?? '').join('\n');

describe.each(CLIENTS)('a client of the SDK %s', (name, connect) => {
  it('uses the tools, the progress, the prompts and the resources of server-everything', async () => {
    const client = await connect(endpoints.everything, token);
    expect(await client.tools()).toEqual(expect.arrayContaining(['echo', 'get-sum', 'trigger-long-running-operation']));
    expect(textOf(await client.call('echo', { message: 'Hello' }))).toContain('Hello');
    expect(textOf(await client.call('get-sum', { a: 2, b: 40 }))).toContain('42');
    let progress = 0;
    const args = { duration: 0.3, steps: 3 };
    const long = await client.call('trigger-long-running-operation', args, () => (progress += 1));
    expect(textOf(long)).toContain('completed');
    expect(progress).toBeGreaterThan(0);
    expect((await client.prompts()).length).toBeGreaterThan(0);
    expect((await client.resources()).length).toBeGreaterThan(0);
    await client.close();
  });

  it('uses the tools of server-filesystem in the configured folder', async () => {
    const client = await connect(endpoints.filesystem, token);
    const path = join(folder, `${name.split('/').at(-1)}.txt`);
    await client.call('write_file', { path, content: `Written by ${name}.` });
    expect(readFileSync(path, 'utf8')).toBe(`Written by ${name}.`);
    expect(textOf(await client.call('read_text_file', { path }))).toContain(`Written by ${name}.`);
    expect(await client.call('read_text_file', { path: '/etc/hostname' })).toMatchObject({ isError: true });
    await client.close();
  });

  it('uses the tools of server-memory', async () => {
    const client = await connect(endpoints.memory, token);
    const entity = { name, entityType: 'package', observations: ['speaks MCP'] };
    await client.call('create_entities', { entities: [entity] });
    expect(textOf(await client.call('read_graph', {}))).toContain(name);
    await client.close();
  });
});

describe('an agent', () => {
  it('uses the tools of all three servers in one run, and receives their results', async () => {
    const { platform: call, runtime } = callers(platform);
    const { body: list } = await call<{ items: { id: string }[] }>('/mcp/servers');
    const mcp_server_ids = list.items.map(({ id }) => id);
    const agent = await call('/agents', { body: { name: 'Clerk', description: '', mcp_server_ids } });
    expect(agent.status).toBe(201);

    const path = join(folder, 'agent.txt');
    const wanted: [string, object][] = [
      ['get-sum', { a: 20, b: 22 }],
      ['write_file', { path, content: 'Written by an agent.' }],
      ['read_graph', {}],
    ];
    model.answerWith(({ body }) => {
      const answered = body.messages.filter(({ role }) => role === 'tool').length;
      const next = wanted[answered];
      if (!next) return 'All done.';
      const available = body['tools'] as { function: { name: string } }[];
      const found = available.find(({ function: { name } }) => name.endsWith(next[0]));
      if (!found) throw new Error(`${next[0]} is not available`);
      const called = { name: found.function.name, arguments: JSON.stringify(next[1]) };
      return { toolCalls: [{ id: `call_${answered}`, type: 'function', function: called }] };
    });
    const { status, body } = await runtime('/api/v1/agents/clerk/messages', { body: { content: 'Do it.' } });
    expect([status, body['content']]).toEqual([200, 'All done.']);
    const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ content }) => JSON.stringify(content))).toEqual([
      expect.stringContaining('42'),
      expect.stringContaining('agent.txt'),
      expect.stringContaining('speaks MCP'),
    ]);
    expect(readFileSync(path, 'utf8')).toBe('Written by an agent.');
  });
});
