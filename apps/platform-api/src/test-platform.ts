import { createUser, effectiveScopes, issueApiKey, revokeApiKey, type Project, type Scope } from '@millwright/auth';
import { createSecretBox, type SecretBox } from '@millwright/catalog';
import { createDatabase, readCount, type CountedKind, type Database } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { createLogger, createMetrics } from '@millwright/http';
import { createHttpClient, type HttpClient } from '@millwright/http/sweep';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSchemaValidator } from '@millwright/schemas';
import { buildSchemaWorker } from '@millwright/schemas/build-worker';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createApp } from './app.js';

/** Area B as tests use it: the real app on a real database, with a user whose keys reach it. */
export interface TestPlatform {
  db: Database;
  url: string;
  /** The same app, admitting one request a minute. */
  tightUrl: string;
  /** The same app, whose calls out may not reach this machine. */
  strictUrl: string;
  /** Opens what the app sealed. */
  box: SecretBox;
  /** Its UUID and name. */
  user: { id: string; name: string };
  /** A new API key of the user. */
  issueKey: (options?: { project?: Project; scopes?: readonly string[] }) => Promise<string>;
  issueRevokedKey: () => Promise<string>;
  /** The total that a list shows, as it is maintained. */
  countOf: (project: Project, kind: CountedKind, status?: string) => Promise<number>;
  /** Audit rows of a record, oldest first. */
  decisionsOn: (
    resource: string,
  ) => Promise<
    { action: string; detail: unknown; project: string | null; actor_id: string; user_id: string; decision: string }[]
  >;
  /** Sends requests with a new key that may do everything in the project. */
  clientOf: (project: Project) => Promise<HttpClient>;
  close: () => Promise<void>;
}

type Listen = (app: RequestListener) => Promise<{ url: string; close: () => Promise<void> }>;

/** What every key of a user who is no admin may have at most. */
export const EVERY_SCOPE = [...effectiveScopes(['*'], false)] as Scope[];

export const KNOWN_MODEL = 'house-model';

export async function startPlatform(databaseUrl: string, listen: Listen): Promise<TestPlatform> {
  const db = createDatabase({ url: databaseUrl, poolMax: 10 });
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  const worker = await buildSchemaWorker();
  const validator = createSchemaValidator({ workerUrl: worker.workerUrl, timeoutMs: 2_000 });
  const box = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  const local = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  const strict = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
  const appWith = (multiplier: number, egress = local) =>
    createApp({
      egress,
      validator,
      box,
      config: { BASE_URL: 'http://platform.test', MAX_IN_FLIGHT: 1_000, TRUSTED_PROXY_HOPS: 0 },
      db,
      logger,
      metrics: createMetrics({ service: 'test', version: 'test' }),
      limiter: createRateLimiter({ multiplier }),
      isKnownModel: (name) => name === KNOWN_MODEL,
    });
  const apps = [appWith(10_000), appWith(1e-6), appWith(10_000, strict)] as const;
  const [roomy, tight, guarded] = await Promise.all([listen(apps[0]), listen(apps[1]), listen(apps[2])]);
  await db.transaction((tx) =>
    createUser(tx, { email: 'ada@example.com', name: 'Ada', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  const row = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ada@example.com' } });
  const actor = { userId: row.id, kind: 'user', label: row.name } as const;

  const newKey = (project: Project, scopes: readonly string[]) =>
    db.transaction((tx) => issueApiKey(tx, { userId: row.id, name: 'test', scopes, plan: 'standard', project }, actor));
  const issueKey: TestPlatform['issueKey'] = async ({ project = 'Core', scopes = ['*'] } = {}) =>
    (await newKey(project, scopes)).key;
  return {
    db,
    url: roomy.url,
    tightUrl: tight.url,
    strictUrl: guarded.url,
    box,
    user: { id: row.id, name: row.name },
    issueKey,
    issueRevokedKey: async () => {
      const { id: keyId, key } = await newKey('Core', ['*']);
      await db.transaction((tx) => revokeApiKey(tx, keyId, actor));
      return key;
    },
    countOf: (project, kind, status) => readCount(db, { project, kind, status }),
    decisionsOn: (resource) =>
      db.prisma.governanceDecision.findMany({
        where: { resource },
        orderBy: [{ at: 'asc' }, { id: 'asc' }],
        select: { action: true, detail: true, project: true, actor_id: true, user_id: true, decision: true },
      }),
    clientOf: async (project) => createHttpClient(roomy.url, bearer(await issueKey({ project }))),
    close: async () => {
      await Promise.all([roomy.close(), tight.close(), guarded.close()]);
      await Promise.all([validator.close(), local.close(), strict.close()]);
      await worker.remove();
      await db.close();
    },
  };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
