import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type ModelBehaviour,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';

const RUNS = 100;
/** Number of requests to cancel a run that are sent at the same time. */
const AT_ONCE = 10;

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let call: HttpClient;
let token: string;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url, { modelTimeoutMs: 600_000, takesRuns: false });
  other = await runtime.start({ modelTimeoutMs: 600_000, takesRuns: false });
  await runtime.newAgent({ name: 'Worker' });
  token = await runtime.newToken();
  call = runtime.as(token);
  model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('POST /api/v1/runs/{run_id}/cancel', () => {
  it(`ends ${RUNS} runs and aborts their model calls, which another process makes`, async () => {
    const started = await Promise.all(
      Array.from({ length: RUNS }, (_, n) =>
        other.as(token)('POST', '/api/v1/runs', { json: { agent: 'worker', content: `Work ${n}.` } }),
      ),
    );
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 202));
    await until(() => model.requests.length === RUNS);
    const requestOf = (n: number) => model.requests.find(({ body }) => body.messages.at(-1)?.content === `Work ${n}.`);
    const times: number[] = [];
    for (let first = 0; first < RUNS; first += AT_ONCE)
      await Promise.all(
        started.slice(first, first + AT_ONCE).map(async ({ body }, index) => {
          const begun = performance.now();
          const { status } = await call('POST', `/api/v1/runs/${(body as { id: string }).id}/cancel`);
          expect(status).toBe(200);
          await until(() => requestOf(first + index)?.aborted === true);
          times.push(performance.now() - begun);
        }),
      );
    const sorted = times.toSorted((a, b) => a - b).map(Math.round);
    process.stdout.write(
      `cancel to the end of the model's call: p50 ${sorted[RUNS / 2]} ms, p99 ${sorted[RUNS - 2]} ms\n`,
    );
    expect(await runtime.db.prisma.run.groupBy({ by: ['state'], _count: true })).toEqual([
      { state: 'canceled', _count: RUNS },
    ]);
  });
});
