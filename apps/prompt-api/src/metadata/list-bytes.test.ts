import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';

const MIB = 1_048_576;
const ITEM_BYTES = 900_000;
const ITEMS = 12;
/** Bytes that JSON adds to an item's long texts. */
const FRAME_BYTES = 2_000;
const LONG = `repeat('x', ${ITEM_BYTES})`;
const LONG_INSTRUCTION = `json_build_object('static', ${LONG}, 'state', '', 'dynamic', '')`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const run = (statement: string) => app.db.prisma.$executeRawUnsafe(statement);
async function create(path: string, fields: (n: number) => object): Promise<void> {
  for (let n = 0; n < ITEMS; n += 1) {
    const { status, text } = await app.call('POST', path, { body: fields(n) });
    expect({ status, text }).toMatchObject({ status: 201 });
  }
}
const metadata = { title: 'Long' };

/** Functions by list. Each function makes twelve items of 900 KB and returns the list's address. */
const LISTS: Record<string, () => Promise<string>> = {
  listPrompts: async () => {
    await create('/v1/prompt', () => greeting);
    await run(`UPDATE prompt_versions SET instruction = ${LONG_INSTRUCTION}`);
    return '/v1/prompt';
  },
  listPromptVersions: async () => {
    const { body } = await app.call<Prompt>('POST', '/v1/prompt', { body: greeting });
    for (let n = 1; n < ITEMS; n += 1) await app.call('PUT', `/v1/prompt/${body.id}`, { body: {} });
    await run(`UPDATE prompt_versions SET instruction = ${LONG_INSTRUCTION}`);
    return `/v1/prompt/${body.id}/version`;
  },
  listArtifacts: async () => {
    await create('/v1/artifact', () => ({ content: 'x', metadata }));
    await run(`UPDATE artifacts SET content = ${LONG}`);
    return '/v1/artifact';
  },
  listBlocks: async () => {
    await create('/v1/block', (n) => ({ prefix: `long_${'abcdefghijkl'[n]}`, metadata }));
    await run(`UPDATE blocks SET content = ${LONG}`);
    return '/v1/block';
  },
  listAgents: async () => {
    await create('/v1/agent', (n) => ({ content: 'x', prefix: `long-${n}`, metadata: { title: `Long ${n}` } }));
    await run(`UPDATE agents SET instructions = ${LONG}`);
    return '/v1/agent';
  },
};
/** Lists whose limit in bytes other tests check: long-conversations.test.ts, stored-responses.test.ts and openai-conversations.test.ts. */
const BOUNDED_OTHERWISE = ['listConversationItems', 'listConversations', 'listResponseInputItems'];

it('this file covers every list endpoint of the service', async () => {
  interface Operation {
    operationId: string;
    parameters?: { name: string }[];
  }
  const { body } = await app.call<{ paths: Record<string, { get?: Operation }> }>('GET', '/v1/openapi.json');
  const lists = Object.values(body.paths).flatMap(({ get }) =>
    get?.parameters?.some(({ name }) => name === 'limit') ? [get.operationId] : [],
  );
  expect(lists.toSorted()).toEqual([...Object.keys(LISTS), ...BOUNDED_OTHERWISE].toSorted());
});

describe.each(Object.entries(LISTS))('%s with items of 900 KB', (_, prepare) => {
  it('returns pages of at most 8 MiB plus one item; the next links lead to each item exactly once', async () => {
    await run('TRUNCATE prompts, artifacts, blocks, agents CASCADE');
    await run('DELETE FROM record_counts');
    let path: string | undefined = `${await prepare()}?limit=100`;
    const seen: string[] = [];
    const totals = new Set<string | null>();
    let parts = 0;
    while (path !== undefined) {
      const { status, text, body, headers }: Awaited<ReturnType<typeof app.call<Prompt[]>>> = await app.call<Prompt[]>(
        'GET',
        path,
      );
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(8 * MIB + ITEM_BYTES + ITEMS * FRAME_BYTES);
      seen.push(...body.map(({ _link }) => _link));
      totals.add(headers.get('x-total-count'));
      parts += 1;
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect({ seen: seen.length, distinct: new Set(seen).size, parts, totals: [...totals] }).toEqual({
      seen: ITEMS,
      distinct: ITEMS,
      parts: 2,
      totals: [String(ITEMS)],
    });
  });
});
