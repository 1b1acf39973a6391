import { fuzzArea, fuzzSettings } from '@millwright/http/fuzz';
import { createHttpClient } from '@millwright/http/sweep';
import { startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ limitMultiplier: 100_000 });
});
afterAll(() => app.close());

const settings = fuzzSettings();

describe('area D under generated requests', () => {
  it(
    'answers each as its document says, and none with a server error',
    async () => {
      const document = (await createHttpClient(app.url)('GET', '/v1/openapi.json')).body as object;
      const credential = { 'api-key': await app.issueKey() };
      const report = await fuzzArea({ document, baseUrl: app.url, credential, ...settings });
      process.stdout.write(`area D fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
