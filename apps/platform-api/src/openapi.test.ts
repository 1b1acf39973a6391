import { createDatabase } from '@millwright/db';
import { createLogger, createMetrics } from '@millwright/http';
import { committedOpenApi, createHttpClient, DOCUMENTED_URLS, openApiFaults } from '@millwright/http/sweep';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import { createApp, type AppDeps } from './app.js';

describe('docs/openapi/platform.json', () => {
  it('is what the area serves (run `npm run openapi` after a change), and a sound OpenAPI 3.1 document', async () => {
    const server = await listen(
      createApp({
        config: { BASE_URL: DOCUMENTED_URLS.platform, MAX_IN_FLIGHT: 10, TRUSTED_PROXY_HOPS: 0 },
        db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }), // never asked: the document is public
        logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
        isKnownModel: () => false,
        ...({ egress: {}, validator: {}, box: {} } as Pick<AppDeps, 'egress' | 'validator' | 'box'>),
      }),
    );
    const served = (await createHttpClient(server.url)('GET', '/api/v1/openapi.json')).body as object;
    await server.close();
    expect(openApiFaults(served)).toEqual([]);
    const { committed, expected } = committedOpenApi('platform', served);
    expect(committed).toBe(expected);
  });
});
