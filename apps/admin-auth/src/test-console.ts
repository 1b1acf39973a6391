import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createTokenSigner, createUser, publishSigningKey, type NewToken, type NewUser } from '@millwright/auth';
import { createDatabase, type Database } from '@millwright/db';
import { createLogger, createMetrics } from '@millwright/http';
import { createHttpClient, type HttpClient } from '@millwright/http/sweep';
import { createRateLimiter } from '@millwright/rate-limit';
import { createApp, type AppDeps } from './app.js';
import type { Assets } from './pages/assets.js';
import { openSession } from './sessions/sessions.store.js';
import { mintTokens } from './sessions/user-context.js';
import { NO_ASSETS } from './test-assets.js';

/** Area A as tests use it: the real app on a real database, reached as `http://localhost:<port>` (WebAuthn refuses IP addresses). */
export interface TestConsole {
  db: Database;
  url: string;
  sign: (token: NewToken) => string;
  addUser: (user: Partial<NewUser> & { email: string }) => Promise<{ id: string; name: string; project: string }>;
  /** Signs the user in; `client` sends the cookies. */
  signIn: (user: {
    id: string;
    name: string;
    project: string;
  }) => Promise<{ client: HttpClient; sessionId: string; access: string; refresh: string }>;
  close: () => Promise<void>;
}

type Listen = (app: RequestListener) => Promise<{ url: string; close: () => Promise<void> }>;

export async function startConsole(
  databaseUrl: string,
  listen: Listen,
  { assets = NO_ASSETS, settings = {} }: { assets?: Assets; settings?: Partial<AppDeps['config']> } = {},
): Promise<TestConsole> {
  const db = createDatabase({ url: databaseUrl, poolMax: 10 });
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { kid: 'test', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
  await publishSigningKey(db, 'admin-auth', key);
  const sign = createTokenSigner(key);
  let app: RequestListener = (_request, response) => response.end();
  const server = await listen((request, response) => {
    app(request, response);
  });
  const url = server.url.replace('127.0.0.1', 'localhost');
  app = createApp({
    config: {
      BASE_URL: url,
      RUNTIME_URL: 'http://runtime.test',
      PROMPT_API_URL: 'http://prompt.test',
      MAX_IN_FLIGHT: 1_000,
      TRUSTED_PROXY_HOPS: 0,
      SECURITY_ALLOW_REGISTRATION: true,
      SECURITY_DEFAULT_PROJECT: 'Core',
      SECURITY_CLAIM_REQUIRES_INVITE: false,
      ...settings,
    },
    db,
    logger,
    sign,
    assets,
    metrics: createMetrics({ service: 'test', version: 'test' }),
    limiter: createRateLimiter({ multiplier: 10_000 }),
  });
  return {
    db,
    url,
    sign,
    async addUser({ email, name = 'Ada', role = 'user', platformAdmin = false, project = 'Core' }) {
      await db.transaction((tx) => createUser(tx, { email, name, role, platformAdmin, project }));
      return db.prisma.user.findUniqueOrThrow({ where: { email } });
    },
    async signIn(user) {
      const from = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };
      const opened = await db.transaction((tx) => openSession(tx, { user, method: 'passkey', ...from }));
      const { accessToken, refreshToken } = mintTokens({ sign, baseUrl: url }, opened, false);
      const client = createHttpClient(url, { cookie: `access_token=${accessToken}` });
      return { client, sessionId: opened.sessionId, access: accessToken, refresh: refreshToken };
    },
    close: async () => {
      await server.close();
      await db.close();
    },
  };
}
