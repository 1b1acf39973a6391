import { fuzzArea, fuzzSettings } from '@millwright/http/fuzz';
import { createHttpClient } from '@millwright/http/sweep';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { bearer, startPlatform, type TestPlatform } from './test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url, listen);
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

const settings = fuzzSettings();

describe('area B under generated requests', () => {
  it(
    'answers each as its document says, and none with a server error',
    async () => {
      const document = (await createHttpClient(platform.url)('GET', '/api/v1/openapi.json')).body as object;
      const credential = bearer(await platform.issueKey());
      const report = await fuzzArea({ document, baseUrl: platform.url, credential, ...settings });
      process.stdout.write(`area B fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
