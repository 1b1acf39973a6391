import { decodeId } from '@millwright/db';
import { usePlatform } from '../test-use-platform.js';

const MIB = 1_048_576;
const ITEM_BYTES = 900_000;
const ITEMS = 12;
/** Maximum number of bytes that an item's JSON has in addition to its long texts. */
const FRAME_BYTES = 2_000;

interface Page {
  items: { id?: string; name?: string; version?: number }[];
  total: number;
}

const { database, platform, client } = usePlatform();
const LONG = `repeat('x', ${ITEM_BYTES})`;
const run = (statement: string) => database.run(statement);
const numbers = Array.from({ length: ITEMS }, (_, n) => n);

async function create(path: string, fields: (n: number) => object): Promise<string[]> {
  const ids: string[] = [];
  for (const n of numbers) {
    const { status, body } = await client('POST', path, { json: fields(n) });
    expect({ status, body }).toMatchObject({ status: 201 });
    ids.push((body as { id: string }).id);
  }
  return ids;
}
const uuid = (prefix: 'sk' | 'ag' | 'ms', id: string | undefined) => `'${decodeId(prefix, id ?? '')}'::uuid`;
const named = (kind: string) => (n: number) => ({ name: `${kind} ${n}`, description: '', instructions: 'x' });
const skills = () => create('/api/v1/skills', named(`Skill of ${Math.random()}`));
const agents = () => create('/api/v1/agents', named(`Agent of ${Math.random()}`));

async function versionsOf(kind: 'skill' | 'agent', id: string | undefined): Promise<string> {
  for (const n of numbers.slice(1))
    await run(`
      INSERT INTO ${kind}_versions (${kind}_id, version, state, changed, created_by, actor_kind, actor_id)
      SELECT ${kind}_id, ${n + 1}, jsonb_set(state::jsonb, '{instructions}', to_jsonb(${LONG}))::json, changed, created_by, actor_kind, actor_id
        FROM ${kind}_versions WHERE ${kind}_id = ${uuid(kind === 'skill' ? 'sk' : 'ag', id)} AND version = 1`);
  return `/api/v1/${kind}s/${id}/versions`;
}

async function toolsOf(approved: boolean): Promise<string> {
  const json = { name: `Server ${approved}`, url: 'https://mcp.example.com/mcp', description: '' };
  const { body } = await client('POST', '/api/v1/mcp/servers', { json });
  const { id } = body as { id: string };
  await platform.probed();
  const schema = `json_build_object('type', 'object', 'description', ${LONG})`;
  for (const n of numbers)
    await run(`
      INSERT INTO mcp_tools (server_id, name, description, input_schema, hash, approved_description, approved_input_schema, approved_hash)
      VALUES (${uuid('ms', id)}, 'tool-${n}', '', ${schema}, '\\x01', ${approved ? `'', ${schema}, '\\x01'` : 'NULL, NULL, NULL'})`);
  return `/api/v1/mcp/servers/${id}/tools${approved ? '' : '/quarantined'}`;
}

/** Functions by list. Each function creates twelve items of 900 KB and returns the list's address. */
const LISTS: Record<string, () => Promise<string>> = {
  listSkills: async () => {
    await skills();
    await run(`UPDATE skills SET instructions = ${LONG}`);
    return '/api/v1/skills';
  },
  listAgents: async () => {
    await agents();
    await run(`UPDATE agents SET instructions = ${LONG}`);
    return '/api/v1/agents';
  },
  listAgentSkills: async () => {
    const skill_ids = await skills();
    await run(`UPDATE skills SET instructions = ${LONG}`);
    const json = { name: 'Of many skills', description: '', instructions: 'x', skill_ids };
    const { body } = await client('POST', '/api/v1/agents', { json });
    return `/api/v1/agents/${(body as { id: string }).id}/skills`;
  },
  listContent: async () => {
    await create('/api/v1/content', (n) => ({ title: `Content ${n}`, body: 'x', tags: [] }));
    await run(`UPDATE content_items SET body = ${LONG}`);
    return '/api/v1/content';
  },
  listPlugins: async () => {
    const config = { url: 'https://127.0.0.1:1/tool' };
    await create('/api/v1/plugins', (n) => ({ name: `Plugin ${n}`, type: 'tool', config }));
    await run(`UPDATE plugins SET config_schema = json_build_object('description', ${LONG})`);
    return '/api/v1/plugins';
  },
  listMcpServers: async () => {
    await create('/api/v1/mcp/servers', (n) => ({
      name: `Server ${n}`,
      url: 'https://mcp.example.com/mcp',
      description: '',
    }));
    await platform.probed();
    await run(`UPDATE mcp_servers SET description = ${LONG}`);
    return '/api/v1/mcp/servers';
  },
  listMcpServerTools: () => toolsOf(true),
  listQuarantinedTools: () => toolsOf(false),
  listSkillVersions: async () => versionsOf('skill', (await skills())[0]),
  listAgentVersions: async () => versionsOf('agent', (await agents())[0]),
};

/**
 * Lists that this file does not test, because their records are few and small: a project has at most 20 webhooks of a few KB, and at most 100
 * triggers of at most 80 KB.
 */
const SMALL = ['listWebhooks', 'listTriggers', 'listBudgets'];

it('this file covers every list endpoint of the service', async () => {
  const { body } = await client('GET', '/api/v1/openapi.json');
  interface Operation {
    operationId: string;
    parameters?: { name: string }[];
  }
  const { paths } = body as { paths: Record<string, { get?: Operation }> };
  const lists = Object.values(paths).flatMap(({ get }) =>
    get?.parameters?.some(({ name }) => name === 'per_page') ? [get.operationId] : [],
  );
  expect(lists.toSorted()).toEqual([...Object.keys(LISTS), ...SMALL].toSorted());
});

describe.each(Object.entries(LISTS))('%s with items of 900 KB', (_, prepare) => {
  beforeEach(async () => {
    await run('TRUNCATE skills, agents, content_items, plugins, mcp_servers CASCADE');
    await run('DELETE FROM record_counts');
  });

  it('returns pages of at most 8 MiB plus one item; the next links lead to each item exactly once', async () => {
    let path: string | undefined = `${await prepare()}?per_page=100`;
    const seen: unknown[] = [];
    const totals = new Set<number>();
    let parts = 0;
    while (path !== undefined) {
      const { status, text, body, headers }: Awaited<ReturnType<typeof client>> = await client('GET', path);
      expect(status).toBe(200);
      const { items, total } = body as Page;
      const longest = Math.max(...items.map((item) => JSON.stringify(item).length));
      expect(text.length).toBeLessThan(8 * MIB + longest + ITEMS * FRAME_BYTES);
      seen.push(...items.map(({ id, name, version }) => id ?? name ?? version));
      totals.add(total);
      parts += 1;
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(parts).toBeGreaterThan(1);
    expect({ seen: seen.length, distinct: new Set(seen).size, totals: [...totals] }).toEqual({
      seen: ITEMS,
      distinct: ITEMS,
      totals: [ITEMS],
    });
  });
});
