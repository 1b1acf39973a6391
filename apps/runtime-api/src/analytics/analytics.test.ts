import { newId } from '@millwright/db';
import { rollUpUsage } from '@millwright/models/usage';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import { METRICS, type Metric, type Series } from './analytics.contract.js';

let database: TestDatabase;
let runtime: TestRuntime;
let other: TestUser;
let call: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  other = await runtime.newUser('lin@example.com');
  call = runtime.as(await runtime.newToken());
  await used('2026-03-01T00:00:00.000Z', { prompt_tokens: 10, completion_tokens: 5, cost_usd: '0.100000001' });
  await used('2026-03-01T23:59:59.999Z', { user_id: other.id, cost_usd: null });
  await used('2026-03-03T12:00:00.000Z', { kind: 'prompt_run', cost_usd: '0.2' });
  await used('2026-02-28T23:59:59.999Z', {});
  await used('2026-03-04T00:00:00.000Z', {});
  await used('2026-03-02T12:00:00.000Z', { project: 'Commerce' });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

async function used(at: string, over: object): Promise<void> {
  const event = {
    user_id: runtime.owner.id,
    project: 'Core',
    kind: 'agent_message',
    model: 'house',
    prompt_tokens: 1,
    completion_tokens: 1,
  };
  await runtime.db.prisma.usageEvent.create({
    data: { ...event, id: newId(), subject_id: newId(), at: new Date(at), ...over },
  });
}

const path = (query: string) => `/api/v1/analytics/metrics?${query}`;
const PERIOD = 'from=2026-03-01&to=2026-03-03';

describe('GET /api/v1/analytics/metrics', () => {
  it.each<[Metric, number[], number]>([
    ['agent_messages', [2, 0, 0], 2],
    ['model_tokens', [17, 0, 2], 19],
    ['model_cost_usd', [0.100000001, 0, 0.2], 0.300000001],
    ['active_users', [2, 0, 1], 2],
  ])(
    'returns the metric %s of this project alone for each UTC day from the first to the last day of the period',
    async (metric, [first, second, third], total) => {
      const { status, body } = await call('GET', path(`${PERIOD}&metric=${metric}`));
      expect(status).toBe(200);
      expect(body).toEqual({
        ...(metric === 'model_cost_usd' && { unpriced_events: 1 }),
        metric,
        from: '2026-03-01',
        to: '2026-03-03',
        interval: 'day',
        total,
        points: [
          { date: '2026-03-01', value: first },
          { date: '2026-03-02', value: second },
          { date: '2026-03-03', value: third },
        ],
      });
    },
  );

  it('reports how many calls have no price and are therefore not part of the cost, both before and after the roll-up of the day', async () => {
    const day = '2026-04-01';
    for (const cost_usd of ['0.25', null, '0.5', null, null]) await used(`${day}T10:00:00.000Z`, { cost_usd });
    const cost = async () => (await call('GET', path(`from=${day}&to=${day}&metric=model_cost_usd`))).body;
    expect(await cost()).toMatchObject({ total: 0.75, unpriced_events: 3 });
    await rollUpUsage((work) => runtime.db.transaction(work), new Date('2026-04-02T00:05:00Z'));
    expect(await cost()).toMatchObject({ total: 0.75, unpriced_events: 3 });
    // Stores the sums of the day in the form of a former release, which had no separate sum of known costs.
    await runtime.db.prisma
      .$executeRaw`UPDATE usage_days SET known_cost_usd = NULL, unpriced_events = NULL WHERE day = ${day}::date`;
    expect(await cost()).toMatchObject({ total: 0, unpriced_events: 5 });
    expect((await call('GET', path(`from=${day}&to=${day}&metric=model_tokens`))).body).not.toHaveProperty(
      'unpriced_events',
    );
    await runtime.db.prisma.$executeRaw`DELETE FROM usage_days`;
    await runtime.db.prisma.$executeRaw`DELETE FROM usage_events WHERE at >= ${day}::date`;
  });

  it('reads the daily sums after the days were rolled up, and returns the same values as before', async () => {
    const all = async () => (await call('GET', path('from=2026-02-01&to=2026-03-31'))).body;
    const before = await all();
    await rollUpUsage((work) => runtime.db.transaction(work), new Date('2026-03-04T00:05:00Z'));
    expect(await all()).toEqual(before);
    await runtime.db.prisma.usageDay.updateMany({ where: { day: new Date('2026-03-01') }, data: { events: 7 } });
    const { points, total } = (await call('GET', path(`${PERIOD}&metric=agent_messages`))).body as Series;
    expect([points[0]?.value, total]).toEqual([14, 14]);
  });

  it('returns all metrics when the query names none', async () => {
    const { metrics } = (await call('GET', path(PERIOD))).body as { metrics: Series[] };
    expect(metrics.map(({ metric }) => metric)).toEqual(METRICS);
    expect(metrics.find(({ metric }) => metric === 'model_tokens')).toEqual(
      (await call('GET', path(`${PERIOD}&metric=model_tokens`))).body,
    );
  });

  it('returns zeros for a period without usage', async () => {
    const { body } = await call('GET', path('from=2001-01-01&to=2001-01-01&metric=active_users'));
    expect(body).toMatchObject({ points: [{ date: '2001-01-01', value: 0 }], total: 0 });
  });

  it('returns the 30 days up to today when the query names no period', async () => {
    const before = new Date().toISOString().slice(0, 10);
    const { points, to } = (await call('GET', path('metric=model_tokens'))).body as Series;
    expect(points).toHaveLength(30);
    expect([before, new Date().toISOString().slice(0, 10)]).toContain(to);
    expect((await call('GET', path('to=2026-03-30&metric=model_tokens'))).body).toMatchObject({ from: '2026-03-01' });
  });

  it('accepts a period of 366 days', async () => {
    const { points } = (await call('GET', path('from=2024-01-01&to=2024-12-31&metric=model_tokens'))).body as Series;
    expect([points.length, points[59]?.date]).toEqual([366, '2024-02-29']);
  });

  it.each([
    ['metric=latency', 'metric'],
    ['metric=', 'metric'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2999-01-01', 'from'],
    ['from=2024-01-01&to=2025-01-01', 'from'],
    ['from=2026-02-29', 'from'],
    ['from=1999-12-31', 'from'],
    ['to=3000-01-01', 'to'],
    ['to=2026-03-01T00:00:00Z', 'to'],
    ['to=2026-03-01&to=2026-03-02', 'to'],
  ])('answers 400 to the query %s, and the error names the field %s', async (query, field) => {
    const { status, body } = await call('GET', path(query));
    expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR', details: { field } } }]);
  });

  it("sums the project's stored counts of requests, errors, MCP calls and searches, and estimates how long requests took", async () => {
    const day = '2026-03-05';
    const counted = (metric: string, bucket_ms: number, n: bigint, project = 'Core') =>
      runtime.db.prisma.metricCount.create({
        data: { day: new Date(day), project, area: 'platform', metric, bucket_ms, n },
      });
    await counted('requests', 2, 90n);
    await counted('requests', 10, 10n);
    await counted('requests', 300, 1_000n, 'Commerce');
    await counted('errors', 0, 3n);
    await counted('content_searches', 0, 4n);
    await counted('mcp_calls', 0, 5n);
    const read = async (metric: Metric) =>
      ((await call('GET', path(`from=${day}&to=2026-03-06&metric=${metric}`))).body as Series).points.map(
        ({ value }) => value,
      );
    expect(await read('requests')).toEqual([100, 0]);
    expect(await read('errors')).toEqual([3, 0]);
    expect(await read('content_searches')).toEqual([4, 0]);
    expect(await read('mcp_calls')).toEqual([5, 0]);
    // 90 requests took up to 2 ms, and ten took between 7 and 10 ms. The 95th request is in the middle of these ten, so the estimate is 8.5 ms.
    expect(await read('latency_p95_ms')).toEqual([8.5, 0]);
  });

  it('counts all requests to the runtime API, also those to unknown paths, and in separate metrics errors, searches and MCP calls', async () => {
    const today = async () => {
      const { metrics } = (await call('GET', path(`from=${new Date().toISOString().slice(0, 10)}`))).body as {
        metrics: Series[];
      };
      await runtime.counts.flush();
      return new Map(metrics.map(({ metric, points }) => [metric, points.at(-1)?.value ?? 0]));
    };
    await runtime.counts.flush();
    const before = await today();
    await call('GET', '/api/v1/content/search?q=anything');
    await call('GET', '/api/v1/content?limit=0');
    await call('GET', '/api/v1/nowhere');
    await call('POST', '/api/v1/mcp/platform/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const params = { name: 'search_content', arguments: { query: 'anything' } };
    await call('POST', '/api/v1/mcp/platform/mcp', { json: { jsonrpc: '2.0', id: 2, method: 'tools/call', params } });
    await runtime.counts.flush();
    const after = await today();
    const more = (metric: Metric) => (after.get(metric) ?? 0) - (before.get(metric) ?? 0);
    // The count includes the five requests above, and the request of the first `today()`.
    expect([more('requests'), more('errors'), more('content_searches'), more('mcp_calls')]).toEqual([6, 2, 2, 1]);
    expect(after.get('latency_p95_ms')).toBeGreaterThan(0);
  });
});
