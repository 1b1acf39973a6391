import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createDatabase } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { committedOpenApi, DOCUMENTED_URLS, openApiFaults } from '@millwright/http-testing';
import { createModelCheck, createModels, loadModels } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSecretBox } from '@millwright/secrets';
import { createHttpClient, listen, referenceFaults } from '@millwright/testing';
import { createApp, type AppDeps } from './app.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('docs/openapi/runtime.json', () => {
  it('equals the served document and reference (run `npm run openapi` after a change) and is valid OpenAPI 3.1', async () => {
    const server = await listen(
      createApp({
        config: {
          RUNTIME_URL: DOCUMENTED_URLS.runtime,
          TOOL_TIMEOUT_MS: 1_000,
          UNMARKED_TOOLS: 'allow',
          APPROVAL_HOURS: 24,
          RUNS_AT_ONCE: 1,
          PROJECT_RUNS_AT_ONCE: 1,
          AGENT_CALL_DEPTH: 1,
          AGENTS_PUBLISHED_BY_DEFAULT: true,
          BASE_URL: 'http://localhost:8080',
          MCP_ALLOWED_ORIGINS: [],
          MCP_MAX_MESSAGE_BYTES: 4_194_304,
          MCP_TRUSTED_ISSUERS: [],
          OAUTH_DYNAMIC_REGISTRATION: true,
          OAUTH_CLIENT_DOCUMENTS: true,
          OAUTH_PUSHED_REQUESTS_ONLY: false,
          OAUTH_DPOP_ONLY: false,
          OAUTH_DPOP_NONCES: false,
          OAUTH_APP_SCHEMES: [],
          OAUTH_ID_JAG_ISSUERS: [],
          OAUTH_GRANT_MAX_DAYS: 90,
          UPLOAD_MAX_BYTES: 1,
          ...capacityWith(),
          TRUSTED_PROXY_HOPS: 0,
        },
        db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }), // no connection is opened, because the document is public
        logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
        models: {
          of: () => createModels({ models: loadModels({ MODEL_TIMEOUT_MS: 1_000 }), fetch }),
          requireModel: createModelCheck([]),
        },
        secretBox: createSecretBox([{ id: 'test', key: randomBytes(32) }]),
        ...({ validator: {}, storage: {}, signals: {}, sessionChanges: {} } as Pick<
          AppDeps,
          'validator' | 'storage' | 'signals' | 'sessionChanges'
        >),
        egress: createEgress({ allow: [], allowLoopback: false, allowHttp: false }),
        signingKey: { kid: 'test', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) },
      }).app,
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
