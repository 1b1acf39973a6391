import { decodeId } from '@millwright/db';
import { RUNS } from '@millwright/runs';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';

/** Value of Jest's `doNotFake`: all functions except those of intervals. With faked intervals, a process never scans for queued runs. */
const REAL_CLOCKS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Done.')]);
  runtime = await startRuntime(database.url, model.url, { runsAtOnce: 0, takesRuns: false });
  jest.useFakeTimers({ doNotFake: [...REAL_CLOCKS] });
  await runtime.start().finally(() => jest.useRealTimers());
  await runtime.newAgent({ name: 'Guide' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

describe('a queued run', () => {
  it('is started when its notification arrives, before any process scans for queued runs', async () => {
    const call = runtime.as(await runtime.newToken());
    const { status, body } = await call('POST', '/api/v1/runs', { json: { agent: 'guide', content: 'Work' } });
    expect([status, body]).toEqual([202, expect.objectContaining({ state: 'queued' })]);
    const id = decodeId('run', (body as { id: string }).id) ?? '';
    const stateOf = async () => (await runtime.db.prisma.run.findUniqueOrThrow({ where: { id } })).state;
    // Notifies again, because the process may have begun to listen only after the first notification.
    while ((await stateOf()) !== 'completed') {
      await runtime.db.prisma.$executeRaw`SELECT pg_notify(${RUNS}, ${`${id} queued`})`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
