import { createDatabase } from '@millwright/db';
import { createLogger, createMetrics } from '@millwright/http';
import { committedOpenApi, createHttpClient, DOCUMENTED_URLS, openApiFaults } from '@millwright/http/sweep';
import { createModels, loadModels } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import { createApp } from './app.js';
import { createSchemaValidator } from '@millwright/schemas';

describe('docs/openapi/prompt.json', () => {
  it('is what the area serves (run `npm run openapi` after a change), and a sound OpenAPI 3.1 document', async () => {
    const validator = createSchemaValidator();
    const server = await listen(
      createApp({
        config: {
          BASE_URL: DOCUMENTED_URLS.platform,
          PROMPT_API_URL: DOCUMENTED_URLS.prompt,
          MAX_IN_FLIGHT: 10,
          TRUSTED_PROXY_HOPS: 0,
        },
        db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }), // never asked: the document is public
        logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
        models: createModels({ models: loadModels({ MODEL_TIMEOUT_MS: 1_000 }), fetch }),
        validator,
      }),
    );
    const served = (await createHttpClient(server.url)('GET', '/v1/openapi.json')).body as object;
    await server.close();
    await validator.close();
    expect(openApiFaults(served)).toEqual([]);
    const { committed, expected } = committedOpenApi('prompt', served);
    expect(committed).toBe(expected);
  });
});
