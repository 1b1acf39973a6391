import { generateKeyPairSync } from 'node:crypto';
import { createTokenSigner } from '@millwright/auth';
import { publishSigningKey, type SigningKey } from '@millwright/auth/signing-keys';
import { createDatabase, newId } from '@millwright/db';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import { createApp } from './app.js';
import { NO_ASSETS, NO_DOCS } from './test-assets.js';
import { newDeviceCa } from './bridge/test-device-ca.js';
import { createDelivery } from './magic-link/delivery.js';
import { createDenialQueue } from './protection/denial-queue.js';
import { createLogSender } from './magic-link/senders.js';
import { noJobs } from './test-console.js';

export interface TestAdmin {
  /** URL of the app with the rate limits of production. */
  url: string;
  /** URL of the app with a limit of one request a minute. */
  tightUrl: string;
  signingKey: SigningKey;
  close: () => Promise<void>;
}

/** Starts admin-auth for tests. RUNTIME_URL contains `<b>`, so that tests can check whether pages escape it. */
export async function startAdmin(databaseUrl: string): Promise<TestAdmin> {
  const db = createDatabase({ url: databaseUrl, poolMax: 2 });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey: SigningKey = { kid: newId(), privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
  await publishSigningKey(db, 'admin-auth', signingKey);
  const at = Date.now();
  const deviceCa = await newDeviceCa();
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  const appWith = (multiplier: number) => {
    const metrics = createMetrics({ service: 'test', version: 'test' });
    return createApp({
      config: {
        BASE_URL: 'http://mw.test',
        RUNTIME_URL: 'http://runtime.test/<b>',
        PROMPT_API_URL: 'http://prompt.test',
        PLATFORM_API_TARGETS: [],
        RUNTIME_API_TARGETS: [],
        PROMPT_API_TARGETS: [],
        ...capacityWith(),
        TRUSTED_PROXY_HOPS: 0,
        SECURITY_ALLOW_REGISTRATION: true,
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
      sign: createTokenSigner(signingKey),
      assets: NO_ASSETS,
      docs: NO_DOCS,
      signingKey: () => signingKey,
      scheduler: noJobs,
      deviceCa,
      db,
      limiter: createRateLimiter({ multiplier, now: () => at }),
      logger,
      metrics,
      delivery: createDelivery({ sender: createLogSender(logger), logger, metrics }),
      denials: createDenialQueue({ db, logger }),
    });
  };
  const [roomy, tight] = await Promise.all([listen(appWith(1)), listen(appWith(1e-6))]);
  return {
    url: roomy.url,
    tightUrl: tight.url,
    signingKey,
    close: async () => {
      await Promise.all([roomy.close(), tight.close()]);
      await db.close();
    },
  };
}
