import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';

const MIB = 1_048_576;
const ITEM_BYTES = 900_000;
const ITEMS = 12;
/** Allowance, in bytes, for JSON and for the fields of an item that are not long. */
const FRAME_BYTES = 5_000;
const LONG = 'x'.repeat(ITEM_BYTES);
const numbers = Array.from({ length: ITEMS }, (_, n) => n);

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;
let agentId: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
  agentId = (await runtime.newAgent({ name: 'Helper' })).id;
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

/** Creates a conversation with `count` messages of 900 KB. */
async function newContext(count = ITEMS): Promise<{ contextId: string; messageIds: string[] }> {
  const [contextId, { owner, db }] = [newId(), runtime];
  await db.prisma.context.create({
    data: { id: contextId, project: 'Core', agent_id: agentId, user_id: owner.id },
  });
  const messageIds = numbers.slice(0, count).map(() => newId());
  for (const [index, id] of messageIds.entries())
    await db.prisma.contextMessage.create({
      data: { id, context_id: contextId, seq: index + 1, role: 'assistant', content: LONG },
    });
  return { contextId, messageIds };
}

async function newRun(fields: { contextId: string; answerId?: string | undefined; input?: object; channel?: string }) {
  const { owner, db } = runtime;
  const id = newId();
  await db.prisma.run.create({
    data: {
      ...{ id, project: 'Core', user_id: owner.id, subject_kind: 'agent', subject_id: agentId, subject_name: 'helper' },
      ...{ channel: fields.channel ?? 'messages', caller: {}, context_id: fields.contextId, state: 'completed' },
      ...(fields.answerId !== undefined && { answer_id: fields.answerId }),
      ...(fields.input && { input: fields.input }),
      ended_at: new Date(),
    },
  });
  return id;
}

/** A page of a list: the length of its text, the identifiers of its items, and the cursor or link of the next page. */
interface Page {
  bytes: number;
  seen: string[];
  next: string | undefined;
}
type ReadPage = (next: string | undefined) => Promise<Page>;

const idsIn = (items: unknown) => (items as { id: string }[]).map(({ id }) => id);

/** Paged lists whose items can be long. Each function makes twelve items of 900 KB, and returns a function that reads a page of them. */
const LISTS: Record<string, () => Promise<ReadPage>> = {
  'ListTasks of A2A': async () => {
    const { contextId, messageIds } = await newContext();
    for (const answerId of messageIds) {
      const message = { messageId: answerId, role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
      await newRun({ contextId, answerId, channel: 'a2a', input: { message } });
    }
    return async (next = '') => {
      const query = `pageSize=100&includeArtifacts=true&historyLength=1&pageToken=${next}`;
      const headers = { 'a2a-version': '1.0' };
      const { text, body } = await call('GET', `/api/v1/agents/helper/a2a/tasks?${query}`, { headers });
      const { tasks, nextPageToken } = body as { tasks: unknown; nextPageToken?: string };
      return { bytes: text.length, seen: idsIn(tasks), next: nextPageToken || undefined };
    };
  },
  'prompts/list of the built-in MCP server': async () => {
    const created_by = runtime.owner.id;
    for (const n of numbers)
      await runtime.db.prisma.skill.create({
        data: {
          ...{ id: newId(), project: 'Core', name: `Skill ${n}`, description: '', instructions: 'x', created_by },
          parameters: { long: { type: 'string', enum: [LONG] } },
        },
      });
    return async (cursor) => {
      const json = { jsonrpc: '2.0', id: 1, method: 'prompts/list', params: cursor === undefined ? {} : { cursor } };
      const { text, body } = await call('POST', '/api/v1/mcp/platform/mcp', { json });
      const { result } = body as { result: { prompts: { name: string }[]; nextCursor?: string } };
      return { bytes: text.length, seen: result.prompts.map(({ name }) => name), next: result.nextCursor };
    };
  },
};

/** Paged lists that need no test here, each with the reason: its items are short, or its own tests check the limit in bytes. */
const BOUNDED = {
  listAgents: 'names of at most 100 skills; 8 MiB a page',
  listMcpServers: 'names of at most 500 tools; 8 MiB a page',
  listServerEntries: 'texts of at most 100 characters',
  listContexts: 'titles are cut at 120 characters',
  listConversations: 'titles are cut at 120 characters',
  listRuns: 'titles are cut',
  listRunSteps: 'tests of runs',
  listApprovals: '25 a page, with arguments and a schema of at most 64 KiB',
  listRunApprovals: 'as listApprovals',
  listUsers: 'names of at most 200 characters',
  listContent: 'tests of content',
  searchContent: 'tests of content',
  listKnowledge: '50 tags of at most 100 characters, and a path of 1,024',
  listKnowledgeSources: 'a URL of at most 2,000 characters, a name of 200, and 50 tags of 100',
  'file.list': 'paths of at most 1,024 characters',
};

it('every paged list of the service has an entry in LISTS or BOUNDED of this file', async () => {
  interface Operation {
    operationId: string;
    parameters?: { name: string }[];
  }
  const { body } = await call('GET', '/api/v1/openapi.json');
  const { paths } = body as { paths: Record<string, { get?: Operation }> };
  const lists = Object.values(paths).flatMap(({ get }) =>
    get?.parameters?.some(({ name }) => name === 'limit') ? [get.operationId] : [],
  );
  const known = [...Object.keys(LISTS).filter((name) => !name.includes(' ')), ...Object.keys(BOUNDED)];
  expect(lists.toSorted()).toEqual(known.toSorted());
});

describe.each(Object.entries(LISTS))('%s with items of 900 KB', (_, prepare) => {
  it('returns pages of at most 8 MiB plus one item, and each item once over all pages', async () => {
    const read = await prepare();
    const seen: string[] = [];
    let [pages, next]: [number, string | undefined] = [0, undefined];
    do {
      const page: Page = await read(next);
      expect(page.bytes).toBeLessThan(8 * MIB + (ITEM_BYTES + FRAME_BYTES) + ITEMS * FRAME_BYTES);
      seen.push(...page.seen);
      next = page.next;
      pages += 1;
    } while (next !== undefined);
    expect(pages).toBe(2);
    expect([seen.length, new Set(seen).size]).toEqual([ITEMS, ITEMS]);
  });
});

describe('GET /api/v1/agents/{agent_name}/contexts/{context_id} with messages of 900 KB', () => {
  it('returns the latest messages, at most 8 MiB plus one message', async () => {
    const { contextId, messageIds } = await newContext();
    const { text, body } = await call('GET', `/api/v1/agents/helper/contexts/${encodeId('ctx', contextId)}`);
    expect(text.length).toBeLessThan(8 * MIB + ITEM_BYTES + ITEMS * FRAME_BYTES);
    const shown = idsIn((body as { messages: unknown }).messages);
    expect(shown).toEqual(messageIds.slice(-shown.length).map((id) => encodeId('msg', id)));
    expect(shown.length).toBe(10);
  });

  it('returns a single message even when it exceeds 8 MiB', async () => {
    const { contextId, messageIds } = await newContext(1);
    await runtime.db.prisma.contextMessage.update({
      where: { id: messageIds[0] ?? '' },
      data: { content: 'x'.repeat(9 * MIB) },
    });
    const { text } = await call('GET', `/api/v1/agents/helper/contexts/${encodeId('ctx', contextId)}`);
    expect(text.length).toBeGreaterThan(9 * MIB);
  });
});

describe('a registry with more than 1,000 entries', () => {
  const PATHS = ['/api/v1/agents/registry', '/api/v1/mcp/registry'];
  beforeAll(async () => {
    const { db, owner } = runtime;
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ id: newId(), project: 'Core', name: `Many ${n}`, slug: `many-${n}`, description: '', created_by: owner.id },
    }));
    await db.prisma.agent.createMany({ data: rows.map((row) => ({ ...row, instructions: 'x'.repeat(1_000) })) });
    await db.prisma.mcpServer.createMany({
      data: [
        ...rows,
        { ...rows[0], id: newId(), name: 'One more', slug: 'one-more', description: '', created_by: owner.id },
      ].map((row) => ({ ...row, project: 'Core', url: 'https://mcp.example/mcp', headers: {} })),
    });
  });

  const namesOf = (body: unknown) =>
    Object.values(body as Record<string, { name: string }[]>).flatMap((entries) => entries.map(({ name }) => name));

  it.each(PATHS)('%s links to the next page in the header Link, and returns each entry once', async (path) => {
    const first = await call('GET', path);
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await call('GET', String(next));
    expect(second.headers.get('link')).toBeNull();
    const names = [...namesOf(first.body), ...namesOf(second.body)].filter((name) => name !== 'platform');
    expect([names.length, new Set(names).size]).toEqual([1_001, 1_001]);
    expect(namesOf(second.body)).toHaveLength(1);
  });

  it('tools/list of the built-in MCP server returns a cursor after 500 agents, and returns each agent once over all pages', async () => {
    const names: string[] = [];
    let [pages, cursor]: [number, string | undefined] = [0, undefined];
    do {
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
      const { body } = await call('POST', '/api/v1/mcp/platform/mcp', { json });
      const { result } = body as { result: { tools: { name: string }[]; nextCursor?: string } };
      names.push(...result.tools.map(({ name }) => name));
      cursor = result.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    const agents = names.filter((name) => name.startsWith('ask_'));
    expect([agents.length, new Set(agents).size]).toEqual([1_001, 1_001]);
    expect(new Set(names).size).toBe(names.length);
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } };
    expect((await call('POST', '/api/v1/mcp/platform/mcp', { json })).body).toMatchObject({ error: { code: -32602 } });
  });
});
