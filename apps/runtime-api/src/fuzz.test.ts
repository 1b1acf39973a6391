import { fuzzArea, fuzzSettings } from '@millwright/http-testing/fuzz';
import {
  createFakeModel,
  createHttpClient,
  createTestDatabase,
  type FakeModel,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from './test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const settings = fuzzSettings();

describe('the runtime API under generated requests', () => {
  it(
    'answers each request as its document describes, and never with a server error',
    async () => {
      const document = (await createHttpClient(runtime.url)('GET', '/api/v1/openapi.json')).body as object;
      const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
      await runtime.newAgent({ name: 'Helper' });
      const credential = { authorization: `Bearer ${await runtime.newToken({ userId })}` };
      const known = { '/api/v1/agents': ['helper'] };
      const report = await fuzzArea({ document, baseUrl: runtime.url, credential, known, ...settings });
      process.stdout.write(`runtime API fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
