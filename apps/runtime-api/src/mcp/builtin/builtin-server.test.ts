import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';

const PATH = '/api/v1/mcp/platform/mcp';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let by: HttpClient;
let contentId: string;

const parameters = {
  tone: { type: 'string', enum: ['formal', 'friendly'] },
  words: { type: 'integer', default: 100 },
};

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Hello.')]);
  runtime = await startRuntime(database.url, model.url);
  by = runtime.as(await runtime.newToken());
  const skills = [{ name: 'Write letters', description: 'Letters.', instructions: 'Write a letter.', parameters }];
  await runtime.newAgent({ name: 'Scribe', description: 'Writes.', skills });
  await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
  await runtime.newAgent({ name: 'Foreign', project: 'Commerce', skills: [{ name: 'Foreign skill' }] });
  const json = { title: 'Refunds', content: 'A refund is paid within 14 days.', slug: 'refunds' };
  contentId = ((await by('POST', '/api/v1/content', { json })).body as { id: string }).id;
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

async function ask(method: string, params: object = {}, as = by) {
  const { body, status } = await as('POST', PATH, { json: { jsonrpc: '2.0', id: 7, method, params } });
  return { status, ...(body as { id: number; result?: Record<string, unknown>; error?: { code: number } }) };
}
const callsOf = (tool: string) =>
  runtime.db.prisma.governanceDecision.findMany({
    where: { action: 'mcp.call', detail: { path: ['tool'], equals: tool.slice(0, 200) } },
    orderBy: { seq: 'asc' },
  });
const namesOf = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
const withScopes = async (...scopes: string[]) => runtime.as(await runtime.newToken({ scopes }));

describe('the tools of the built-in server', () => {
  it('are search_content and one ask_<agent> for each active agent of the project', async () => {
    expect(namesOf((await ask('tools/list')).result?.['tools'])).toEqual(['search_content', 'ask_scribe']);
  });

  it('are listed by GET /api/v1/mcp/registry', async () => {
    const { servers } = (await by('GET', '/api/v1/mcp/registry')).body as { servers: object[] };
    expect(servers).toContainEqual({
      name: 'platform',
      endpoint: expect.stringMatching(/\/api\/v1\/mcp\/platform\/mcp$/) as string,
      transport: 'streamable-http',
      tools: ['search_content', 'ask_scribe'],
    });
  });

  it('are listed only when the credential has their scopes, and a call without the scope is answered 403', async () => {
    const reader = await withScopes('mcp:read', 'mcp:call', 'content:read');
    expect(namesOf((await ask('tools/list', {}, reader)).result?.['tools'])).toEqual(['search_content']);
    expect((await ask('tools/call', { name: 'ask_scribe', arguments: { content: 'Hi' } }, reader)).status).toBe(403);
    const plain = await withScopes('mcp:read', 'mcp:call');
    expect((await ask('tools/list', {}, plain)).result?.['tools']).toEqual([]);
    expect((await ask('tools/call', { name: 'search_content', arguments: { query: 'x' } }, plain)).status).toBe(403);
  });

  it('include search_content, which finds content of the project', async () => {
    const { result } = await ask('tools/call', { name: 'search_content', arguments: { query: 'refund' } });
    const [{ text }] = result?.['content'] as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({
      total: 1,
      results: [{ id: contentId, title: 'Refunds', uri: `millwright://content/${contentId}` }],
    });
  });

  it('include search_content, which finds the requested number of content items even when they are long', async () => {
    const content = 'The heron waits at the river bank. '.repeat(14_000);
    const titles = Array.from({ length: 6 }, (_, n) => `Heron ${n}`);
    for (const title of titles) await by('POST', '/api/v1/content', { json: { title, content } });
    const { result } = await ask('tools/call', { name: 'search_content', arguments: { query: 'heron', limit: 6 } });
    const [{ text }] = result?.['content'] as [{ text: string }];
    const { results } = JSON.parse(text) as { results: { title: string; content?: string; snippet: string }[] };
    expect(results.map(({ title }) => title).toSorted()).toEqual(titles);
    for (const found of results) {
      expect(found.content).toBeUndefined();
      expect(found.snippet).toContain('heron');
    }
    await runtime.db.prisma.contentItem.deleteMany({ where: { title: { in: titles } } });
  });

  it('include ask_<agent>, which runs the agent and continues a conversation with it', async () => {
    const first = await ask('tools/call', { name: 'ask_scribe', arguments: { content: 'Hi' } });
    expect(first.result).toMatchObject({ content: [{ type: 'text', text: 'Hello.' }] });
    const { context_id } = first.result?.['structuredContent'] as { context_id: string };
    await ask('tools/call', { name: 'ask_scribe', arguments: { content: 'Again', context_id } });
    expect(
      model.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .slice(1),
    ).toEqual(['Hi', 'Hello.', 'Again']);
  });

  it.each([
    ['search_content', {}],
    ['search_content', { query: 'x', limit: 0 }],
    ['ask_scribe', { content: ' ' }],
    ['ask_scribe', { content: 'Hi', model: 'other' }],
    ['ask_scribe', { content: 'Hi', context_id: 'ctx_0000000000000000000000' }],
    ['ask_asleep', { content: 'Hi' }],
  ])('return an error result for %s with the arguments %j', async (name, args) => {
    expect((await ask('tools/call', { name, arguments: args })).result).toMatchObject({ isError: true });
  });

  it.each([
    ['ask_foreign', { content: 'Hi' }],
    ['ask_nobody', { content: 'Hi', context_id: 'ctx_0000000000000000000000' }],
    ['ask_', {}],
    ['nothing', {}],
    ['x'.repeat(300), {}],
  ])('do not include %s; a call of this name is refused, and audited only as a denial', async (name, args) => {
    const before = await callsOf(name);
    const { status, error } = await ask('tools/call', { name, arguments: args });
    expect([status, error]).toMatchObject([200, { code: -32602, message: `Unknown tool: ${name}` }]);
    expect((await callsOf(name)).slice(before.length)).toMatchObject([
      { decision: 'deny', reason: 'there is no such tool', user_id: runtime.owner.id, actor_kind: 'mcp' },
    ]);
  });

  it.each([
    ['search_content', { query: 'x' }],
    ['ask_scribe', { content: 'Hi' }],
    ['ask_concierge', { content: ' ' }],
  ])('include %s; a call of it is audited as allowed', async (name, args) => {
    const before = await callsOf(name);
    await ask('tools/call', { name, arguments: args });
    expect((await callsOf(name)).slice(before.length)).toMatchObject([{ decision: 'allow' }]);
  });

  it.each([
    ['tools/call', { name: 'search_content', arguments: { query: 'a\0b' } }],
    ['tools/call', { name: 'ask_scribe', arguments: { content: '\ud800' } }],
    ['prompts/get', { name: 'a\0' }],
  ])('return the error "Invalid params" for text that cannot be stored: %s with %j', async (method, params) => {
    const { status, error } = await ask(method, params);
    const message = expect.stringContaining('Invalid params') as string;
    expect([status, error]).toMatchObject([200, { code: -32602, message }]);
  });

  it('do not reveal the cause of an internal failure to the client', async () => {
    await runtime.db.prisma.$executeRaw`ALTER TABLE content_items RENAME TO content_elsewhere`;
    const { error } = await ask('tools/call', { name: 'search_content', arguments: { query: 'refund' } });
    await runtime.db.prisma.$executeRaw`ALTER TABLE content_elsewhere RENAME TO content_items`;
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
  });

  it('lead to an audit row for each call, which names the accountable user and contains no arguments', async () => {
    await ask('tools/call', { name: 'search_content', arguments: { query: 'hunter2' } });
    const row = await runtime.db.prisma.governanceDecision.findFirst({
      where: { action: 'mcp.call', actor_id: 'platform' },
      orderBy: { at: 'desc' },
    });
    expect(row).toMatchObject({ user_id: runtime.owner.id, actor_kind: 'mcp', detail: { tool: 'search_content' } });
  });

  it('return an error result when a message to an agent exceeds the rate limit for messages', async () => {
    const replica = await runtime.start({ multiplier: 1 / 30 });
    const as = replica.as(await runtime.newToken());
    const outcomes = [];
    for (let n = 0; n < 3; n++)
      outcomes.push(
        (await ask('tools/call', { name: 'ask_scribe', arguments: { content: 'Hi' } }, as)).result?.['isError'],
      );
    expect(outcomes).toEqual([undefined, undefined, true]);
  });

  it('increase the metric mcp_calls when they are called', async () => {
    await runtime.counts.flush();
    const rows = await runtime.db.prisma.metricCount.findMany({ where: { metric: 'mcp_calls', project: 'Core' } });
    expect(rows.reduce((sum, { n }) => sum + n, 0n)).toBeGreaterThan(5n);
  });
});

describe('the prompts of the built-in server', () => {
  const get = (args: object, as = by) => ask('prompts/get', { name: 'Write letters', arguments: args }, as);

  it("are the project's active skills with their parameters", async () => {
    expect((await ask('prompts/list')).result?.['prompts']).toEqual([
      {
        name: 'Write letters',
        description: 'Letters.',
        arguments: [
          { name: 'tone', description: 'string, one of "formal", "friendly"', required: true },
          { name: 'words', description: 'integer, 100 by default', required: false },
        ],
      },
    ]);
  });

  it("return the skill's instructions with the arguments inserted", async () => {
    expect((await get({ tone: 'formal', words: '50' })).result?.['messages']).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: 'Write a letter.\n\nParameters:\n- tone: formal\n- words: 50' },
      },
    ]);
  });

  it.each([
    {},
    { tone: 'rude' },
    { tone: 'formal', words: 'many' },
    { tone: 'formal', words: '1.5' },
    { tone: 'formal', x: '1' },
  ])('are refused with -32602 for the arguments %j', async (args) => {
    expect((await get(args)).error).toMatchObject({ code: -32602 });
  });

  it('exclude skills of other projects; without the scope skills:read, the list is empty', async () => {
    expect((await ask('prompts/get', { name: 'Foreign skill' })).error).toMatchObject({ code: -32602 });
    const plain = await withScopes('mcp:read');
    expect((await ask('prompts/list', {}, plain)).result?.['prompts']).toEqual([]);
    expect((await get({ tone: 'formal' }, plain)).status).toBe(403);
  });
});

describe('the resources of the built-in server', () => {
  it("are the project's content items, listed in pages", async () => {
    const data = Array.from({ length: 100 }, (_, n) => ({
      id: newId(),
      project: 'Core' as const,
      title: `Item ${n}`,
      body: 'x',
      slug: `item-${n}`,
      created_by: runtime.owner.id,
    }));
    await runtime.db.prisma.contentItem.createMany({ data });
    await runtime.db.prisma.contentItem.create({
      data: {
        ...data[0],
        id: newId(),
        project: 'Commerce',
        title: 'Foreign',
        body: 'x',
        slug: 'f',
        created_by: runtime.owner.id,
      },
    });
    const client = await connect('auto');
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(101);
    expect(resources).toContainEqual({
      uri: `millwright://content/${contentId}`,
      name: 'refunds',
      title: 'Refunds',
      mimeType: 'text/plain',
    });
    await client.close();
  });

  it('are all listed without their bodies, even when the bodies are long', async () => {
    const data = Array.from({ length: 30 }, (_, n) => ({
      ...{ id: newId(), project: 'Core' as const, title: `Long ${n}`, slug: `long-${n}`, status: 'active' },
      ...{ body: `${n} `.repeat(150_000), created_by: runtime.owner.id },
    }));
    for (const row of data) await runtime.db.prisma.contentItem.create({ data: row });
    const uris: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await ask('resources/list', cursor === undefined ? {} : { cursor });
      uris.push(...(result?.['resources'] as { uri: string }[]).map(({ uri }) => uri));
      cursor = result?.['nextCursor'] as string | undefined;
    } while (cursor !== undefined);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toHaveLength(
      await runtime.db.prisma.contentItem.count({ where: { project: 'Core', status: 'active' } }),
    );
    expect(uris).toEqual(expect.arrayContaining(data.map(({ id }) => `millwright://content/${encodeId('ct', id)}`)));
    await runtime.db.prisma.contentItem.deleteMany({ where: { title: { startsWith: 'Long ' } } });
  });

  it('are read by their URI', async () => {
    const uri = `millwright://content/${contentId}`;
    expect((await ask('resources/read', { uri })).result?.['contents']).toEqual([
      { uri, mimeType: 'text/plain', text: 'A refund is paid within 14 days.' },
    ]);
    for (const unknown of ['millwright://content/ct_0', 'file:///etc/passwd', ''])
      expect((await ask('resources/read', { uri: unknown })).error).toBeDefined();
    for (const cursor of ['x', '100', '2026-99-01T00:00:00.000Z_ct_0', '2026-01-01T00:00:00.000Z_ct_0'])
      expect((await ask('resources/list', { cursor })).error).toMatchObject({ code: -32602 });
    const plain = await withScopes('mcp:read');
    expect((await ask('resources/list', {}, plain)).result?.['resources']).toEqual([]);
    expect((await ask('resources/read', { uri }, plain)).status).toBe(403);
  });
});

async function connect(mode: 'auto' | 'legacy') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${await runtime.newToken()}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(runtime.url + PATH), { requestInit: { headers } }));
  return client;
}

describe('clients of the SDK', () => {
  it.each(['auto', 'legacy'] as const)(
    'list and call tools, get prompts and read resources in the mode %s',
    async (mode) => {
      const client = await connect(mode);
      expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
      expect(namesOf((await client.listTools()).tools)).toEqual(['search_content', 'ask_scribe']);
      const answer = await client.callTool({ name: 'ask_scribe', arguments: { content: 'Hi' } });
      expect(answer.content).toEqual([{ type: 'text', text: 'Hello.' }]);
      const { messages } = await client.getPrompt({ name: 'Write letters', arguments: { tone: 'formal' } });
      expect(messages).toHaveLength(1);
      const uri = `millwright://content/${contentId}`;
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
      await client.close();
    },
  );

  it('list and call tools with a version of the SDK from before 2026-07-28', async () => {
    const client = new LegacyClient({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${await runtime.newToken()}` };
    await client.connect(new LegacyTransport(new URL(runtime.url + PATH), { requestInit: { headers } }));
    expect(namesOf((await client.listTools()).tools)).toEqual(['search_content', 'ask_scribe']);
    await client.close();
  });
});
