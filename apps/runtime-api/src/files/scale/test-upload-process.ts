import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { createModelCheck, createModels, loadModels } from '@millwright/models';
import { openFileStorage } from '@millwright/files';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSecretBox } from '@millwright/secrets';
import { createApp, type AppDeps } from '../../app.js';

/**
 * Runs the runtime API as a separate process that tests may kill. `test-upload-process <database URL> <file settings, JSON>` prints its
 * address.
 */
const [databaseUrl = '', files = ''] = process.argv.slice(2);
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { app } = createApp({
  config: {
    RUNTIME_URL: 'http://runtime.test',
    BASE_URL: 'http://console.test',
    TOOL_TIMEOUT_MS: 1_000,
    UNMARKED_TOOLS: 'allow',
    APPROVAL_HOURS: 24,
    RUNS_AT_ONCE: 1,
    PROJECT_RUNS_AT_ONCE: 1,
    AGENT_CALL_DEPTH: 1,
    AGENTS_PUBLISHED_BY_DEFAULT: true,
    OAUTH_DYNAMIC_REGISTRATION: false,
    OAUTH_CLIENT_DOCUMENTS: false,
    OAUTH_PUSHED_REQUESTS_ONLY: false,
    OAUTH_DPOP_ONLY: false,
    OAUTH_DPOP_NONCES: false,
    OAUTH_APP_SCHEMES: [],
    OAUTH_ID_JAG_ISSUERS: [],
    OAUTH_GRANT_MAX_DAYS: 90,
    MCP_ALLOWED_ORIGINS: [],
    MCP_MAX_MESSAGE_BYTES: 4_194_304,
    MCP_TRUSTED_ISSUERS: [],
    UPLOAD_MAX_BYTES: 4 * 1_073_741_824,
    ...capacityWith(),
    TRUSTED_PROXY_HOPS: 0,
  },
  db: createDatabase({ url: databaseUrl, poolMax: 5 }),
  logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
  metrics: createMetrics({ service: 'test', version: 'test' }),
  limiter: createRateLimiter({ multiplier: 10_000 }),
  models: {
    of: () => createModels({ models: loadModels({ MODEL_TIMEOUT_MS: 1_000 }), fetch }),
    requireModel: createModelCheck([]),
  },
  egress: createEgress({ allow: [], allowLoopback: false, allowHttp: false }),
  secretBox: createSecretBox([{ id: 'test', key: randomBytes(32) }]),
  ...({ validator: {}, signals: {}, sessionChanges: {} } as Pick<AppDeps, 'validator' | 'signals' | 'sessionChanges'>), // unused, because no agent runs
  storage: await openFileStorage(JSON.parse(files) as Parameters<typeof openFileStorage>[0]),
  signingKey: { kid: 'unused', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) },
});
const server = createServer(app).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
