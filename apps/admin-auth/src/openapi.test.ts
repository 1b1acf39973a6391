import { generateKeyPairSync } from 'node:crypto';
import { createTokenSigner } from '@millwright/auth';
import { createDatabase } from '@millwright/db';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { committedOpenApi, DOCUMENTED_URLS, openApiFaults } from '@millwright/http-testing';
import { createRateLimiter } from '@millwright/rate-limit';
import { createHttpClient, listen, referenceFaults } from '@millwright/testing';
import { createApp } from './app.js';
import { newDeviceCa } from './bridge/test-device-ca.js';
import { createDelivery } from './magic-link/delivery.js';
import { createDenialQueue } from './protection/denial-queue.js';
import { createLogSender } from './magic-link/senders.js';
import { NO_ASSETS, NO_DOCS } from './test-assets.js';
import { noJobs } from './test-console.js';

describe('docs/openapi/admin.json', () => {
  it('is a valid OpenAPI 3.1 document, equal to the served document and to the document in the reference page', async () => {
    const db = createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }); // unused: the document is public
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { kid: 'test', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
    const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
    const metrics = createMetrics({ service: 'test', version: 'test' });
    const server = await listen(
      createApp({
        config: {
          BASE_URL: DOCUMENTED_URLS.admin,
          RUNTIME_URL: DOCUMENTED_URLS.runtime,
          PROMPT_API_URL: DOCUMENTED_URLS.prompt,
          PLATFORM_API_TARGETS: [],
          RUNTIME_API_TARGETS: [],
          PROMPT_API_TARGETS: [],
          ...capacityWith(),
          TRUSTED_PROXY_HOPS: 0,
          SECURITY_ALLOW_REGISTRATION: false,
          SECURITY_DEFAULT_PROJECT: 'Core',
          SECURITY_CLAIM_REQUIRES_INVITE: false,
          RECOVERY: 'all',
          SECURITY_REGISTRATION_ROLES: ['user', 'admin'],
          SECURITY_REGISTRATION_DOMAINS: [],
          SECURITY_PLATFORM_ADMIN_FOUR_EYES: true,
          PROJECTS_OPEN: true,
          SESSION_ADMIN_IDLE_HOURS: 12,
          SESSION_ADMIN_MAX_DAYS: 7,
          SESSION_USER_IDLE_DAYS: 30,
          SESSION_USER_MAX_DAYS: 90,
          SESSION_MAX_PER_USER: 20,
        },
        sign: createTokenSigner(key),
        signingKey: () => key,
        assets: NO_ASSETS,
        docs: NO_DOCS,
        scheduler: noJobs,
        deviceCa: await newDeviceCa(),
        delivery: createDelivery({ sender: createLogSender(logger), logger, metrics }),
        denials: createDenialQueue({ db, logger }),
        limiter: createRateLimiter(),
        db,
        logger,
        metrics,
      }),
    );
    const client = createHttpClient(server.url);
    const served = (await client('GET', '/admin/openapi.json')).body as object;
    const page = await client('GET', '/admin/docs');
    await server.close();
    expect(openApiFaults(served)).toEqual([]);
    expect(referenceFaults(page.text, served)).toEqual([]);
    const { committed, expected } = committedOpenApi('admin', served);
    expect(committed).toBe(expected);
  });
});
