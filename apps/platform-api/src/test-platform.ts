import { createUser, issueApiKey, revokeApiKey } from '@millwright/accounts';
import { createTestOwners } from '@millwright/accounts/test-owners';
import { effectiveScopes, type Project, type Scope } from '@millwright/auth';
import { createAgentRules } from '@millwright/catalog';
import { createSecretBox, type SecretBox } from '@millwright/secrets';
import { asRole, createDatabase, readCount, type CountedKind, type Database } from '@millwright/db';
import { createEgress, type EgressOptions } from '@millwright/egress';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { createModelCheck, createModelHealth, type ModelDefinition } from '@millwright/models';
import { createHttpClient, listen, serviceConnection, type HttpClient } from '@millwright/testing';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSchemaValidator } from '@millwright/schemas';
import { buildSchemaWorker } from '@millwright/schemas/build-worker';
import { createApp } from './app.js';
import type { RouteDeps } from './endpoints.js';
import { createMcpProbes } from './mcp-servers/probes.js';

/** The platform API for tests: the real app on a real database, with a user and keys. */
export interface TestPlatform {
  db: Database;
  url: string;
  /** URL of the app with a limit of one request a minute. */
  tightUrl: string;
  /** URL of an app whose outbound calls cannot reach this machine. */
  strictUrl: string;
  /** UUID and name of the user. */
  user: { id: string; name: string };
  /** Makes a new API key of the user, or of an admin. */
  issueKey: (options?: { project?: Project; scopes?: readonly string[]; admin?: boolean }) => Promise<string>;
  issueRevokedKey: () => Promise<string>;
  /** Reads the stored total that a list shows. */
  countOf: (project: Project, kind: CountedKind, status?: string) => Promise<number>;
  /** Returns the audit rows of a record, oldest first. */
  decisionsOn: (
    resource: string,
  ) => Promise<
    { action: string; detail: unknown; project: string | null; actor_id: string; user_id: string; decision: string }[]
  >;
  /** HTTP client with a new API key that has every scope in the project. */
  clientOf: (project: Project, options?: { admin?: boolean; scopes?: readonly string[] }) => Promise<HttpClient>;
  /** Encrypts and decrypts the secrets of the app. */
  secretBox: SecretBox;
  /** Resolves when no MCP server is being probed. */
  probed: () => Promise<void>;
  /** Resolves when the health of models is stored. */
  healthWritten: () => Promise<void>;
  close: () => Promise<void>;
}

/** The most scopes that a key of a user without the role admin can have. */
export const EVERY_SCOPE = [...effectiveScopes(['*'], ['user'])] as Scope[];

export const KNOWN_MODEL = 'house-model';

/** Egress options with which the app can reach this machine. */
const DEVELOPMENT: EgressOptions = { allowLoopback: true, allowHttp: false, allow: [] };

export async function startPlatform(
  databaseUrl: string,
  calls = DEVELOPMENT,
  { mcpRegistryUrl }: Pick<RouteDeps, 'mcpRegistryUrl'> = {},
): Promise<TestPlatform> {
  // Machines that run several test files at once may take long to connect.
  const pool = { poolMax: 10, acquireTimeoutMs: 15_000 };
  const db = createDatabase({ url: databaseUrl, ...pool });
  const areaDb = createDatabase({
    ...serviceConnection(asRole(databaseUrl, 'platform-api')),
    ...pool,
    refusesNesting: true,
  });
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  const workerUrl = await buildSchemaWorker();
  const validator = createSchemaValidator({ workerUrl, timeoutMs: 2_000 });
  const egress = createEgress(calls);
  const secretBox = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
  const limits = { timeoutMs: 1_500, maxBytes: 4 * 1024 * 1024 };
  const probes = createMcpProbes({ db: areaDb, fetch: egress.fetch, secrets: secretBox, logger, limits });
  const strict = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
  const models: ModelDefinition[] = [
    {
      ...{ name: KNOWN_MODEL, endpoint: 'http://127.0.0.1:1/v1', apiKey: 'house-key', contextWindow: 128_000 },
      ...{ prices: { input: 1, output: 2 }, fallbacks: [], timeoutMs: 2_000 },
    },
  ];
  const modelHealth = createModelHealth(areaDb);
  const appWith = (multiplier: number, outward = egress, publishedByDefault = true) =>
    createApp({
      config: { BASE_URL: 'http://platform.test', ...capacityWith(), TRUSTED_PROXY_HOPS: 0 },
      db: areaDb,
      logger,
      metrics: createMetrics({ service: 'test', version: 'test' }),
      limiter: createRateLimiter({ multiplier }),
      egress: outward,
      validator,
      secretBox,
      probes,
      mcpRegistryUrl,
      unmarkedTools: 'allow',
      ...{ models, modelHealth, modelTimeoutMs: 2_000 },
      agentRules: createAgentRules({ requireModel: createModelCheck(models), publishedByDefault }),
    });
  const apps = [appWith(10_000), appWith(1e-6), appWith(10_000, strict, false)] as const;
  const [roomy, tight, guarded] = await Promise.all([listen(apps[0]), listen(apps[1]), listen(apps[2])]);
  const newUser = async (email: string, name: string, role: 'user' | 'admin', project: Project = 'Core') => {
    await db.transaction((tx) => createUser(tx, { email, name, role, platformAdmin: false, project }));
    return db.prisma.user.findUniqueOrThrow({ where: { email } });
  };
  const row = await newUser('ada@example.com', 'Ada', 'user');
  const neighbour = await newUser('carl@example.com', 'Carl', 'user', 'Commerce');
  const admin = await newUser('grace@example.com', 'Grace', 'admin');
  const actor = { userId: row.id, kind: 'user', label: row.name } as const;

  const ownerWithRoom = createTestOwners(db);
  const members: Record<Project, { id: string }> = { Core: row, Commerce: neighbour };
  const memberOf = async (project: Project) =>
    (members[project] ??= await newUser(`${project}@example.com`, project, 'user', project));
  const newKey = async (project: Project, scopes: readonly string[], user?: { id: string }) => {
    const wanted = user ?? (await memberOf(project));
    const userId = await ownerWithRoom(wanted.id);
    return db.transaction((tx) => issueApiKey(tx, { userId, name: 'test', scopes, plan: 'standard', project }, actor));
  };
  const issueKey: TestPlatform['issueKey'] = async ({ project = 'Core', scopes = ['*'], admin: ofAdmin } = {}) =>
    (await newKey(project, scopes, ofAdmin ? admin : undefined)).key;
  return {
    db,
    url: roomy.url,
    tightUrl: tight.url,
    strictUrl: guarded.url,
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
    clientOf: async (project, options) => createHttpClient(roomy.url, bearer(await issueKey({ project, ...options }))),
    secretBox,
    probed: () => probes.idle(),
    healthWritten: () => modelHealth.idle(),
    close: async () => {
      await Promise.all([roomy.close(), tight.close(), guarded.close()]);
      await probes.close();
      await modelHealth.idle();
      await Promise.all([validator.close(), egress.close(), strict.close()]);
      await Promise.all([db.close(), areaDb.close()]);
    },
  };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Dependencies of the routes in tests that only read contracts. */
export function unconnected(db: Database): RouteDeps {
  const egress = createEgress(DEVELOPMENT);
  const secretBox = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  const probes = createMcpProbes({ db, fetch: egress.fetch, secrets: secretBox, logger });
  const agentRules = createAgentRules({ requireModel: createModelCheck([]), publishedByDefault: true });
  return {
    db,
    agentRules,
    egress,
    validator: createSchemaValidator({ workers: 0 }),
    secretBox,
    probes,
    unmarkedTools: 'allow',
    ...{ models: [], modelHealth: createModelHealth(db), modelTimeoutMs: 1_000 },
  };
}
