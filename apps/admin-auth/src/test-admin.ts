import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createTokenSigner, publishSigningKey, type SigningKey } from '@millwright/auth';
import { createDatabase, newId } from '@millwright/db';
import { createLogger, createMetrics } from '@millwright/http';
import { createRateLimiter } from '@millwright/rate-limit';
import { createApp } from './app.js';
import { NO_ASSETS } from './test-assets.js';
import { newDeviceCa } from './bridge/test-device-ca.js';
import { createDelivery } from './magic-link/delivery.js';
import { createLogSender } from './magic-link/senders.js';
import { noJobs } from './test-console.js';

type Listen = (app: RequestListener) => Promise<{ url: string; close: () => Promise<void> }>;

export interface TestAdmin {
  /** Limits as they are in production. */
  url: string;
  /** The same app, admitting one request a minute. */
  tightUrl: string;
  signingKey: SigningKey;
  close: () => Promise<void>;
}

/** Area A as tests use it. `<b>` in an address shows what is escaped. */
export async function startAdmin(databaseUrl: string, listen: Listen): Promise<TestAdmin> {
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
        MAX_IN_FLIGHT: 100,
        TRUSTED_PROXY_HOPS: 0,
        SECURITY_ALLOW_REGISTRATION: true,
        SECURITY_DEFAULT_PROJECT: 'Core',
        SECURITY_CLAIM_REQUIRES_INVITE: false,
      },
      sign: createTokenSigner(signingKey),
      assets: NO_ASSETS,
      signingKey: () => signingKey,
      scheduler: noJobs,
      deviceCa,
      db,
      limiter: createRateLimiter({ multiplier, now: () => at }),
      logger,
      metrics,
      delivery: createDelivery({ sender: createLogSender(logger), logger, metrics }),
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
