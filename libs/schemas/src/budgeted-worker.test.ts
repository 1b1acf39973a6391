import { buildSchemaWorker } from './build-worker.js';
import { createBudgetedWorker } from './budgeted-worker.js';
import { MOST_SCHEMAS } from './schema-messages.js';

describe('a budgeted worker', () => {
  it('reports a key as cached only while its thread has the schema of this key in its cache', async () => {
    const workerUrl = await buildSchemaWorker();
    const worker = createBudgetedWorker({
      workerUrl,
      timeoutMs: 2_000,
      patienceMs: 60_000,
      memoryMb: 64,
    });
    for (let n = 0; n <= MOST_SCHEMAS; n += 1)
      await worker.run({ kind: 'validate', key: `${n}`, schema: { type: 'object' }, instance: {} });
    expect([worker.knows('0'), worker.knows('1'), worker.knows(`${MOST_SCHEMAS}`)]).toEqual([false, true, true]);
    await worker.close();
  });
});
