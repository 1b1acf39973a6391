import { createDatabase } from '@millwright/db';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { committedOpenApi, DOCUMENTED_URLS, openApiFaults } from '@millwright/http-testing';
import { createRateLimiter } from '@millwright/rate-limit';
import { createHttpClient, listen, referenceFaults } from '@millwright/testing';
import { createApp } from './app.js';
import { unconnected } from './test-platform.js';

describe('docs/openapi/platform.json', () => {
  it('is a valid OpenAPI 3.1 document and equals the document that the service serves (run `npm run openapi` after a change)', async () => {
    const db = createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }); // unused: the document is public
    const server = await listen(
      createApp({
        config: { BASE_URL: DOCUMENTED_URLS.platform, ...capacityWith(), TRUSTED_PROXY_HOPS: 0 },
        ...unconnected(db),
        logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
      }),
    );
    const client = createHttpClient(server.url);
    const served = (await client('GET', '/api/v1/openapi.json')).body as object;
    const page = await client('GET', '/api/v1/docs');
    await server.close();
    expect(openApiFaults(served)).toEqual([]);
    expect(referenceFaults(page.text, served)).toEqual([]);
    const { committed, expected } = committedOpenApi('platform', served);
    expect(committed).toBe(expected);
  });
});
