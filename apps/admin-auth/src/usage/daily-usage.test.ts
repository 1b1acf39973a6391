import { encodeId, newId } from '@millwright/db';
import { rollUpUsage } from '@millwright/models/usage';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import type { DailyUsage } from './daily-usage.contract.js';
import type { ToolUsage } from './tool-usage.contract.js';

let database: TestDatabase;
let site: TestConsole;
let root: { id: string; name: string; project: string };
let bea: typeof root;
let call: HttpClient;
let ofCommerce: HttpClient;
const agentId = newId();
const promptId = newId();
const keyId = newId();

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  root = await site.addUser({ email: 'root@example.com', name: 'Root', role: 'admin', platformAdmin: true });
  bea = await site.addUser({ email: 'bea@example.com', name: 'Bea', role: 'admin', project: 'Commerce' });
  call = (await site.signIn(root)).client;
  ofCommerce = (await site.signIn(bea)).client;
  const common = { project: 'Core', description: '', created_by: root.id };
  await site.db.prisma.agent.create({ data: { ...common, id: agentId, slug: 'desk', name: 'Order desk' } });
  await site.db.prisma.prompt.create({ data: { ...common, id: promptId, title: 'Plan a visit', author: 'Root' } });
  await site.db.prisma.userApiKey.create({
    data: {
      ...{ id: keyId, user_id: root.id, kind: 'api_key', public_id: 'ci', name: 'CI', project: 'Core' },
      ...{ secret_hash: new Uint8Array(32), scopes: ['*'] },
    },
  });
  await used('2026-02-28T23:59:59.999Z', {});
  await used('2026-03-01T00:00:00.000Z', { cost_usd: '0.000004' });
  await used('2026-03-03T12:00:00.000Z', { cost_usd: '0.2', prompt_tokens: 100, key_id: keyId });
  await used('2026-03-03T23:59:59.999Z', { user_id: bea.id, project: 'Commerce', model: 'free' });
  await used('2026-03-02T10:00:00.000Z', { kind: 'prompt_run', subject_id: promptId, cost_usd: '0.1', key_id: keyId });
  await used('2026-03-04T00:00:00.000Z', {});
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function used(at: string, over: object): Promise<void> {
  const event = { user_id: root.id, project: 'Core', kind: 'agent_message', model: 'house', subject_id: agentId };
  await site.db.prisma.usageEvent.create({
    data: { ...event, id: newId(), prompt_tokens: 10, completion_tokens: 5, at: new Date(at), ...over },
  });
}

const PERIOD = 'from=2026-03-01&to=2026-03-03';
const read = async (query: string, as = call) => {
  const { status, body } = await as('GET', `/admin/api/usage?${query}`);
  return { status, body: body as DailyUsage };
};

describe('GET /admin/api/usage', () => {
  it('sums calls, tokens and cost by model and UTC day, with the same result before and after the rollup', async () => {
    const expected = {
      project: null,
      by: 'model',
      days: ['2026-03-01', '2026-03-02', '2026-03-03'],
      rows: [
        {
          id: 'house',
          name: 'house',
          requests: 3,
          tokens_in: 120,
          tokens_out: 15,
          cost_usd: 0.300004,
          is_cost_complete: true,
        },
        {
          id: 'free',
          name: 'free',
          requests: 1,
          tokens_in: 10,
          tokens_out: 5,
          cost_usd: null,
          is_cost_complete: false,
        },
      ],
      totals: { requests: 4, tokens_in: 130, tokens_out: 20, cost_usd: 0.300004, is_cost_complete: false },
      series: [
        {
          id: 'house',
          points: [
            { requests: 1, tokens_in: 10, tokens_out: 5, cost_usd: 0.000004 },
            { requests: 1, tokens_in: 10, tokens_out: 5, cost_usd: 0.1 },
            { requests: 1, tokens_in: 100, tokens_out: 5, cost_usd: 0.2 },
          ],
        },
        {
          id: 'free',
          points: [
            { requests: 0, tokens_in: 0, tokens_out: 0, cost_usd: 0 },
            { requests: 0, tokens_in: 0, tokens_out: 0, cost_usd: 0 },
            { requests: 1, tokens_in: 10, tokens_out: 5, cost_usd: null },
          ],
        },
      ],
    };
    expect((await read(PERIOD)).body).toEqual(expected);
    await rollUpUsage((work) => site.db.transaction(work), new Date('2026-03-03T00:10:00Z'));
    expect((await read(PERIOD)).body).toEqual(expected);
  });

  it.each([
    ['agent', () => [[encodeId('ag', agentId), 'Order desk', 3]]],
    ['prompt', () => [[promptId, 'Plan a visit', 1]]],
    [
      'user',
      () => [
        [encodeId('usr', root.id), 'Root', 3],
        [encodeId('usr', bea.id), 'Bea', 1],
      ],
    ],
    ['key', () => [[encodeId('key', keyId), 'CI (Root)', 2]]],
    [
      'project',
      () => [
        ['Core', 'Core', 3],
        ['Commerce', 'Commerce', 1],
      ],
    ],
  ])('groups the rows by %s, and returns the name of each group', async (by, expected) => {
    const { body } = await read(`${PERIOD}&by=${by}`);
    expect(body.rows.map(({ id, name, requests }) => [id, name, requests])).toEqual(expected());
    expect(body.series.map(({ id }) => id)).toEqual(body.rows.map(({ id }) => id));
  });

  it("shows an admin's own project only", async () => {
    const { body } = await read(PERIOD, ofCommerce);
    expect([body.project, body.rows.map(({ id }) => id)]).toEqual(['Commerce', ['free']]);
    expect((await read(`${PERIOD}&project=Core`, ofCommerce)).status).toBe(403);
  });

  it('combines all rows after the seventh row into one series of the chart', async () => {
    for (let n = 0; n < 9; n += 1) await used('2026-03-10T10:00:00.000Z', { model: `model-${n}`, cost_usd: '0.01' });
    const { body } = await read('from=2026-03-10&to=2026-03-10');
    expect(body.rows).toHaveLength(9);
    expect(body.series).toHaveLength(8);
    expect(body.series.at(-1)).toEqual({
      id: null,
      points: [{ requests: 2, tokens_in: 20, tokens_out: 10, cost_usd: 0.02 }],
    });
  });

  it('covers the last 30 days when the request names no period, and shows zeros where nothing was used', async () => {
    const { body } = await read('project=Core');
    expect(body.days).toHaveLength(30);
    expect(body.days.at(-1)).toBe(new Date().toISOString().slice(0, 10));
    expect(body.totals).toEqual({ requests: 0, tokens_in: 0, tokens_out: 0, cost_usd: 0, is_cost_complete: true });
  });

  it.each([
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2026-01-01&to=2026-04-03', 'from'],
    ['from=yesterday', 'from'],
    ['by=tool', 'by'],
  ])('answers 422 for %s and names the field', async (query, field) => {
    const { status, body } = await call('GET', `/admin/api/usage?${query}`);
    expect([status, (body as { error: { message: string } }).error.message]).toEqual([
      422,
      expect.stringContaining(`${field}: `),
    ]);
  });
});

describe('GET /admin/api/usage/tools', () => {
  const serverId = newId();
  const server = encodeId('ms', serverId);
  const gone = encodeId('pl', newId());

  async function called(
    at: string,
    calls: readonly (readonly [server: string | null, tool: string, outcome: string])[],
  ) {
    const id = newId();
    const subject = { subject_kind: 'agent', subject_id: agentId, subject_name: 'desk' };
    const run = { ...subject, channel: 'messages', caller: {}, state: 'completed', ended_at: new Date() };
    await site.db.prisma.run.create({ data: { id, project: 'Core', user_id: root.id, ...run } });
    await site.db.prisma.runStep.createMany({
      data: calls.map(([owner, tool, outcome], index) => ({
        ...{ run_id: id, seq: index + 1, attempt: 1, kind: 'tool', outcome, tool, server: owner },
        started_at: new Date(at),
      })),
    });
  }
  const readTools = async (query: string, as = call) => {
    const { status, body } = await as('GET', `/admin/api/usage/tools?${query}`);
    return { status, body: body as ToolUsage };
  };

  beforeAll(async () => {
    await site.db.prisma.usageDay.deleteMany();
    await site.db.prisma.mcpServer.create({
      data: {
        id: serverId,
        project: 'Core',
        slug: 'shop',
        name: 'Shop',
        url: 'https://shop.test/mcp',
        created_by: root.id,
      },
    });
    await called('2026-03-02T10:00:00.000Z', [
      [server, 'find', 'succeeded'],
      [server, 'find', 'failed'],
      ['platform', 'calculate', 'succeeded'],
      [null, 'invented', 'failed'],
    ]);
    await called('2026-03-03T10:00:00.000Z', [
      [server, 'find', 'succeeded'],
      [gone, 'forecast', 'unknown'],
    ]);
    await called('2026-03-04T00:00:00.000Z', [[server, 'find', 'succeeded']]);
  });

  it("sums calls by tool and UTC day, with the name of the tool's server, before and after the rollup", async () => {
    const rows = [
      { tool: 'find', server: { id: server, name: 'Shop' }, calls: 3, failed: 1 },
      { tool: 'forecast', server: { id: gone, name: null }, calls: 1, failed: 0 },
      { tool: 'calculate', server: { id: 'platform', name: 'platform' }, calls: 1, failed: 0 },
    ];
    const expected = {
      project: null,
      days: ['2026-03-01', '2026-03-02', '2026-03-03'],
      totals: { calls: 5, failed: 1 },
    };
    const { body } = await readTools(PERIOD);
    expect(body).toMatchObject(expected);
    expect(body.rows).toHaveLength(rows.length);
    expect(body.rows).toEqual(expect.arrayContaining(rows));
    expect(body.series[0]).toEqual({
      ...{ tool: 'find', server_id: server },
      points: [
        { calls: 0, failed: 0 },
        { calls: 2, failed: 1 },
        { calls: 1, failed: 0 },
      ],
    });
    await rollUpUsage((work) => site.db.transaction(work), new Date('2026-03-04T00:10:00Z'));
    expect((await readTools(PERIOD)).body).toEqual(body);
    expect((await readTools('from=2026-03-01&to=2026-03-04')).body.totals.calls).toBe(6);
  });

  it('combines the calls of all tools after the seventh tool into one series', async () => {
    const tools = Array.from({ length: 9 }, (_, n) => ['platform', `tool_${n}`, 'succeeded'] as const);
    await called('2026-03-20T10:00:00.000Z', [...tools, ...tools.slice(0, 7)]);
    const { body } = await readTools('from=2026-03-20&to=2026-03-20');
    expect([body.rows.length, body.series.length]).toEqual([9, 8]);
    expect(body.series.at(-1)).toEqual({ tool: null, server_id: null, points: [{ calls: 2, failed: 0 }] });
  });

  it("shows an admin's own project only", async () => {
    expect((await readTools(PERIOD, ofCommerce)).body).toMatchObject({ project: 'Commerce', rows: [] });
    expect((await readTools(`${PERIOD}&project=Core`, ofCommerce)).status).toBe(403);
  });

  it('answers 422 for a period of more than 92 days', async () => {
    expect((await readTools('from=2026-01-01&to=2026-04-03')).status).toBe(422);
  });
});
