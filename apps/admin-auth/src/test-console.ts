import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createUser, type NewUser } from '@millwright/accounts';
import { createTokenSigner, type NewToken } from '@millwright/auth';
import { publishSigningKey, type SigningKey } from '@millwright/auth/signing-keys';
import { asRole, createDatabase, newId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { capacityWith, createLogger, createMetrics, type Logger, type Metrics } from '@millwright/http/process';
import { createHttpClient, listen, serviceConnection, type HttpClient } from '@millwright/testing';
import { createRateLimiter } from '@millwright/rate-limit';
import { createApp, type AppDeps } from './app.js';
import { newDeviceCa } from './bridge/test-device-ca.js';
import { createDenialQueue } from './protection/denial-queue.js';
import { createDelivery, type Sender } from './magic-link/delivery.js';
import { createLogSender } from './magic-link/senders.js';
import type { ConsoleFiles } from './pages/console-files.js';
import type { DocsFiles } from './pages/docs-files.js';
import { openSession } from './sessions/sessions.store.js';
import { mintTokens } from './sessions/user-context.js';
import { NO_ASSETS, NO_DOCS } from './test-assets.js';

/** Admin-auth for tests: the real app on a real database, reached as `http://localhost:<port>` (WebAuthn refuses IP addresses). */
export interface TestConsole {
  db: Database;
  url: string;
  sign: (token: NewToken) => string;
  /** The key that signs the console's tokens. */
  privateKey: KeyObject;
  signingKey: () => SigningKey;
  addUser: (
    user: Partial<NewUser> & { email: string },
  ) => Promise<{ id: string; name: string; email: string; project: string }>;
  /** Signs the user in; `client` sends the cookies. */
  signIn: (user: { id: string }) => Promise<{ client: HttpClient; sessionId: string; access: string; refresh: string }>;
  /** Resolves when no delivery of a recovery link is running. */
  settled: () => Promise<void>;
  /** Starts another replica: its own app, pool and limits on the same database and key. */
  addInstance: (multiplier?: number) => Promise<string>;
  close: () => Promise<void>;
}

/** Scheduler of an installation without scheduled jobs. */
export const noJobs: AppDeps['scheduler'] = {
  jobs: [],
  request: () => Promise.reject(new AppError('not_found')),
};

export interface TestConsoleOptions {
  assets?: ConsoleFiles;
  docs?: DocsFiles;
  settings?: Partial<AppDeps['config']>;
  logger?: Logger;
  /** Metrics of the first instance. */
  metrics?: Metrics;
  scheduler?: AppDeps['scheduler'];
  sender?: Sender;
  sso?: AppDeps['sso'];
  attestation?: AppDeps['attestation'];
  /** Multiplier of every rate limit. */
  multiplier?: number;
  /** The limiter's clock, in Unix milliseconds. */
  now?: () => number;
}

const silent = createLogger({ service: 'test', level: 'silent', version: 'test' });

export async function startConsole(
  databaseUrl: string,
  {
    assets = NO_ASSETS,
    docs = NO_DOCS,
    settings = {},
    logger = silent,
    metrics = createMetrics({ service: 'test', version: 'test' }),
    scheduler = noJobs,
    sender = createLogSender(logger),
    sso,
    attestation,
    multiplier = 10_000,
    now = Date.now,
  }: TestConsoleOptions = {},
): Promise<TestConsole> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { kid: newId(), privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
  const sign = createTokenSigner(key);
  const deviceCa = await newDeviceCa();
  let url = '';
  const closing: (() => Promise<void>)[] = [];
  const settling: (() => Promise<void>)[] = [];

  /** Starts an instance. The server listens before the app exists, because the app needs the server's address. */
  async function start(ownMetrics: Metrics, ownMultiplier = multiplier): Promise<{ db: Database; url: string }> {
    // The time limit is long, because connecting may be slow on machines that run several test files concurrently.
    const pool = { poolMax: 10, acquireTimeoutMs: 15_000 };
    const db = createDatabase({ url: databaseUrl, ...pool });
    const areaDb = createDatabase({
      ...serviceConnection(asRole(databaseUrl, 'admin-auth')),
      ...pool,
      refusesNesting: true,
    });
    await publishSigningKey(areaDb, 'admin-auth', key);
    const delivery = createDelivery({ sender, logger, metrics: ownMetrics });
    const denials = createDenialQueue({ db: areaDb, logger });
    let app: RequestListener = (_request, response) => response.end();
    const server = await listen((request, response) => {
      app(request, response);
    });
    const own = server.url.replace('127.0.0.1', 'localhost');
    url ||= own;
    app = createApp({
      config: {
        BASE_URL: url,
        RUNTIME_URL: 'http://runtime.test',
        PROMPT_API_URL: 'http://prompt.test',
        PLATFORM_API_TARGETS: [],
        RUNTIME_API_TARGETS: [],
        PROMPT_API_TARGETS: [],
        ...capacityWith(),
        TRUSTED_PROXY_HOPS: 0,
        SESSION_ADMIN_IDLE_HOURS: 12,
        SESSION_ADMIN_MAX_DAYS: 7,
        SESSION_USER_IDLE_DAYS: 30,
        SESSION_USER_MAX_DAYS: 90,
        SESSION_MAX_PER_USER: 20,
        SECURITY_ALLOW_REGISTRATION: true,
        SECURITY_DEFAULT_PROJECT: 'Core',
        SECURITY_CLAIM_REQUIRES_INVITE: false,
        RECOVERY: 'all',
        SECURITY_REGISTRATION_ROLES: ['user', 'admin'],
        SECURITY_REGISTRATION_DOMAINS: [],
        SECURITY_PLATFORM_ADMIN_FOUR_EYES: true,
        PROJECTS_OPEN: true,
        ...settings,
      },
      db: areaDb,
      logger,
      sign,
      signingKey: () => key,
      scheduler,
      assets,
      docs,
      metrics: ownMetrics,
      delivery,
      denials,
      deviceCa,
      ...(sso && { sso }),
      attestation,
      limiter: createRateLimiter({ multiplier: ownMultiplier, now }),
    });
    settling.push(delivery.settled, denials.settled);
    closing.push(async () => {
      await server.close();
      await Promise.all([delivery.close(), denials.settled()]);
      await Promise.all([db.close(), areaDb.close()]);
    });
    return { db, url: own };
  }

  const { db } = await start(metrics);
  return {
    db,
    url,
    sign,
    privateKey,
    signingKey: () => key,
    async addUser({ email, name = 'Ada', role = 'user', platformAdmin = false, project = 'Core', ...more }) {
      await db.transaction((tx) => createUser(tx, { email, name, role, platformAdmin, project, ...more }));
      return db.prisma.user.findUniqueOrThrow({ where: { email } });
    },
    async signIn({ id }) {
      const user = await db.prisma.user.findUniqueOrThrow({ where: { id } });
      const from = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };
      const opened = await db.transaction((tx) =>
        openSession(tx, { user, method: 'passkey', ...from, maxSessions: 1_000 }),
      );
      const { accessToken, refreshToken } = mintTokens({ sign, baseUrl: url }, opened, false);
      const client = createHttpClient(url, { cookie: `access_token=${accessToken}` });
      return { client, sessionId: opened.sessionId, access: accessToken, refresh: refreshToken };
    },
    settled: async () => {
      for (const settle of settling) await settle();
    },
    addInstance: async (ownMultiplier) =>
      (await start(createMetrics({ service: 'test', version: 'test' }), ownMultiplier)).url,
    close: async () => {
      for (const close of closing) await close();
    },
  };
}
