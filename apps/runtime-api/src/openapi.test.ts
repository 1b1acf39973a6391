import { generateKeyPairSync } from 'node:crypto';
import { createDatabase } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { createLogger, createMetrics } from '@millwright/http';
import {
  committedOpenApi,
  createHttpClient,
  DOCUMENTED_URLS,
  openApiFaults,
  referenceFaults,
} from '@millwright/http/sweep';
import { createModels, loadModels } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import { createApp, type AppDeps } from './app.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('docs/openapi/runtime.json', () => {
  it('is what the area serves (run `npm run openapi` after a change) and its reference shows, and a sound OpenAPI 3.1 document', async () => {
    const server = await listen(
      createApp({
        config: {
          RUNTIME_URL: DOCUMENTED_URLS.runtime,
          TOOL_TIMEOUT_MS: 1_000,
          BASE_URL: 'http://localhost:8080',
          MCP_ALLOWED_ORIGINS: [],
          OAUTH_DYNAMIC_REGISTRATION: true,
          OAUTH_CLIENT_DOCUMENTS: true,
          UPLOAD_MAX_BYTES: 1,
          MAX_IN_FLIGHT: 10,
          TRUSTED_PROXY_HOPS: 0,
        },
        db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }), // never asked: the document is public
        logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
        models: createModels({ models: loadModels({ MODEL_TIMEOUT_MS: 1_000 }), fetch }),
        ...({ validator: {}, box: {}, storage: {}, signals: {} } as Pick<
          AppDeps,
          'validator' | 'box' | 'storage' | 'signals'
        >),
        egress: createEgress({ allow: [], allowLoopback: false, allowHttp: false }),
        signingKey: { kid: 'test', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) },
      }),
    );
    const client = createHttpClient(server.url);
    const served = (await client('GET', '/api/v1/openapi.json')).body as object;
    const page = await client('GET', '/api/v1/docs');
    await server.close();
    expect(openApiFaults(served)).toEqual([]);
    expect(referenceFaults(page.text, served)).toEqual([]);
    const { committed, expected } = committedOpenApi('runtime', served);
    expect(committed).toBe(expected);
  });
});
