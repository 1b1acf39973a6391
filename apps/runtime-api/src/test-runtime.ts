import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@millwright/audit';
import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import { SPENDING } from '@millwright/budgets';
import { createUser, issueOAuthClient, type NewOAuthClient, type NewUser } from '@millwright/accounts';
import { createTestOwners } from '@millwright/accounts/test-owners';
import { publishSigningKey, type SigningKey } from '@millwright/auth/signing-keys';
import { sealPluginSecrets, type PluginSecret, type PluginType } from '@millwright/catalog/plugin-config';
import { sealHeaders } from '@millwright/mcp';
import { refreshMcpServer } from '@millwright/mcp/refresh-servers';
import { createSecretBox, type SecretBox } from '@millwright/secrets';
import { asRole, createDatabase, createMetricCounts, newId, type Database, type MetricCounts } from '@millwright/db';
import { listenTo } from '@millwright/db/notifications';
import { createEgress } from '@millwright/egress';
import { createFolderStorage, type FileStorage } from '@millwright/files';
import { capacityWith, createLogger, createMetrics, type Capacity } from '@millwright/http/process';
import { createHttpClient, listen, serviceConnection, type ClientAnswer, type HttpClient } from '@millwright/testing';
import { checkedFetch, createModelRegistry, MODELS, type ModelDefinition } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSchemaValidator } from '@millwright/schemas';
import { buildSchemaWorker } from '@millwright/schemas/build-worker';
import { createSessionChanges, MCP_SESSIONS } from '@millwright/mcp/client-sessions';
import { createRunSignals, RUNS } from '@millwright/runs';
import { createApp } from './app.js';
import { EXTRACT_WORKER } from '@millwright/documents/build-worker';

export interface ReplicaOptions {
  /** Factor by which every rate limit is multiplied. */
  multiplier?: number;
  maxInFlight?: number;
  /** Clock of the rate limiter, in Unix milliseconds. */
  now?: () => number;
  modelTimeoutMs?: number;
  toolTimeoutMs?: number;
  unmarkedTools?: UnmarkedTools;
  /** Receives the lines of the log. Default: nothing is logged. */
  log?: string[];
  /** Whether outbound requests may reach this machine; true by default. */
  allowLoopback?: boolean;
  /** Context window of the model in tokens. */
  contextWindow?: number;
  databaseUrl?: string;
  poolMax?: number;
  /** Whether the process receives notifications of the database; true by default. */
  listens?: boolean;
  /** Limits of the process and of each caller in it. */
  capacity?: Partial<Capacity>;
  uploadMaxBytes?: number;
  /** Whether the process executes runs that are queued or whose process has died; true by default. */
  takesRuns?: boolean;
  runsAtOnce?: number;
  projectRunsAtOnce?: number;
  /** Whether OAuth clients may register themselves or use a metadata document; true by default. */
  strangers?: boolean;
  /** Identity providers whose assertions are accepted for tokens. Default: none. */
  assertionIssuers?: string[];
  /** Whether authorization requests have to be pushed. Default: no. */
  pushedOnly?: boolean;
  /** Whether tokens have to be bound to a key of the client, and proofs need a nonce. Default: no. */
  boundOnly?: boolean;
  proofNonces?: boolean;
}

export interface Replica {
  url: string;
  /** Returns an HTTP client that sends this token, or no token. */
  as: (token?: string) => HttpClient;
}

export interface TestUser {
  id: string;
  actor: Actor;
}

export interface TestClient {
  id: string;
  client_id: string;
  client_secret: string;
}

export interface NewAgent {
  name: string;
  project?: string;
  description?: string;
  instructions?: string;
  status?: 'active' | 'inactive';
  model?: string;
  model_parameters?: object;
  /** Row ids of the agents that this agent may call. */
  callees?: string[];
  content_tags?: string[];
  skills?: {
    name: string;
    description?: string;
    instructions?: string;
    parameters?: object;
    status?: 'active' | 'inactive';
  }[];
}

export interface NewMcpServer {
  name: string;
  url: string;
  project?: string;
  headers?: Record<string, string>;
  status?: 'active' | 'inactive' | 'unreachable';
  transport?: 'a2a';
  auth?: { type: 'agent_token' };
}

export interface NewPlugin {
  name: string;
  type: PluginType;
  config: object;
  secrets?: PluginSecret[];
  project?: string;
  description?: string;
  status?: 'active' | 'inactive';
  /** Slug of the agent that gets the plugin. */
  agent?: string;
}

export interface TestRuntime extends Replica {
  db: Database;
  /** File storage that all processes share. */
  storage: FileStorage;
  filesFolder: string;
  /** Metric counts of the first process. */
  counts: MetricCounts;
  signingKey: SigningKey;
  /** Encrypts secrets that the app decrypts. */
  secretBox: SecretBox;
  /** An active user in Core who is not an admin. */
  owner: TestUser;
  newUser: (email: string, changes?: Partial<NewUser>) => Promise<TestUser>;
  newClient: (changes?: Partial<NewOAuthClient>) => Promise<TestClient>;
  /** Makes an access token of a new client. */
  newToken: (changes?: Partial<NewOAuthClient>) => Promise<string>;
  /** Sends `POST /oauth/token`. */
  askToken: (
    form: Record<string, string> | string | URLSearchParams,
    headers?: Record<string, string>,
  ) => Promise<ClientAnswer>;
  newAgent: (agent: NewAgent) => Promise<{ id: string }>;
  /** Registers an MCP server and probes it, which approves its tools. */
  newMcpServer: (server: NewMcpServer) => Promise<{ id: string }>;
  /** Probes a registered MCP server again. */
  probeMcpServer: (id: string) => Promise<void>;
  newPlugin: (plugin: NewPlugin) => Promise<{ id: string }>;
  /** Starts another process of the same installation. */
  start: (options?: ReplicaOptions) => Promise<Replica>;
  close: () => Promise<void>;
}

export const RUNTIME_URL = 'http://runtime.test';
export const BASE_URL = 'http://console.test';

function newSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: newId(), privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
}

/**
 * Starts the runtime API for tests: the real app with a real database, and with the model at `modelUrl`. `firstOptions` apply to the first process.
 */
export async function startRuntime(
  databaseUrl: string,
  modelUrl: string,
  firstOptions: ReplicaOptions = {},
): Promise<TestRuntime> {
  // The time limit for connecting is long, because the machine runs several test files at the same time.
  const pool = { poolMax: 10, acquireTimeoutMs: 15_000 };
  const db = createDatabase({ url: databaseUrl, ...pool });
  const areaDb = createDatabase({
    ...serviceConnection(asRole(databaseUrl, 'runtime-api')),
    ...pool,
    refusesNesting: true,
  });
  const filesFolder = await mkdtemp(join(tmpdir(), 'millwright-files-'));
  const storage = await createFolderStorage(filesFolder);
  const signingKey = newSigningKey();
  await publishSigningKey(areaDb, 'runtime-api', signingKey);
  const counts = createMetricCounts({ db: areaDb, area: 'runtime' });
  const workerUrl = await buildSchemaWorker();
  const validator = createSchemaValidator({ workerUrl, timeoutMs: 2_000 });
  const secretBox = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  const closers: (() => Promise<void>)[] = [
    () => rm(filesFolder, { recursive: true }),
    () => counts.close(),
    () => validator.close(),
    () => db.close(),
  ];

  async function start(options: ReplicaOptions = {}): Promise<Replica> {
    const {
      multiplier = 10_000,
      now = Date.now,
      modelTimeoutMs = 5_000,
      contextWindow = 128_000,
      maxInFlight = 1_000,
    } = options;
    const { toolTimeoutMs = 5_000, allowLoopback = true, uploadMaxBytes = 1_000_000, strangers = true } = options;
    const ownDb =
      options.databaseUrl === undefined
        ? areaDb
        : createDatabase({ url: options.databaseUrl, poolMax: options.poolMax ?? 2 });
    const egress = createEgress({ allowLoopback, allowHttp: true, allow: [] });
    const definition = {
      endpoint: modelUrl,
      contextWindow,
      fallbacks: [],
      timeoutMs: modelTimeoutMs,
      prices: { input: 1, output: 2 },
    };
    const definitions: ModelDefinition[] = [
      { ...definition, name: 'house' },
      { ...definition, name: 'other', prices: undefined },
      { ...definition, name: 'seeing', images: true },
    ];
    const models = createModelRegistry({
      ...{ db: ownDb, environment: definitions, trusted: egress.trusted(), fetch: checkedFetch(egress), secretBox },
      timeoutMs: modelTimeoutMs,
    });
    const signals = createRunSignals();
    const sessionChanges = createSessionChanges();
    const draining = new AbortController();
    const onNotifyOf = {
      [MODELS]: models.refresh,
      [RUNS]: signals.hear,
      [MCP_SESSIONS]: sessionChanges.notify,
      [SPENDING]: () => onSpending(),
    };
    const listeners = Object.entries(options.listens === false ? {} : onNotifyOf).map(([channel, onNotify]) =>
      listenTo({
        url: options.databaseUrl ?? databaseUrl,
        channel,
        onNotify,
        onConnected: () => Promise.resolve(),
        onError: () => undefined,
      }),
    );
    const { app, runs, onSpending } = createApp({
      config: {
        RUNTIME_URL,
        BASE_URL,
        MCP_ALLOWED_ORIGINS: ['https://inspector.test'],
        MCP_MAX_MESSAGE_BYTES: 4_194_304,
        MCP_TRUSTED_ISSUERS: [],
        TOOL_TIMEOUT_MS: toolTimeoutMs,
        UNMARKED_TOOLS: options.unmarkedTools ?? 'allow',
        APPROVAL_HOURS: 24,
        RUNS_AT_ONCE: options.runsAtOnce ?? 200,
        PROJECT_RUNS_AT_ONCE: options.projectRunsAtOnce ?? 1_000,
        AGENT_CALL_DEPTH: 5,
        AGENTS_PUBLISHED_BY_DEFAULT: true,
        OAUTH_DYNAMIC_REGISTRATION: strangers,
        OAUTH_APP_SCHEMES: ['cursor'],
        OAUTH_CLIENT_DOCUMENTS: strangers,
        OAUTH_ID_JAG_ISSUERS: options.assertionIssuers ?? [],
        OAUTH_PUSHED_REQUESTS_ONLY: options.pushedOnly ?? false,
        OAUTH_DPOP_ONLY: options.boundOnly ?? false,
        OAUTH_DPOP_NONCES: options.proofNonces ?? false,
        OAUTH_GRANT_MAX_DAYS: 90,
        UPLOAD_MAX_BYTES: uploadMaxBytes,
        ...capacityWith({ MAX_IN_FLIGHT: maxInFlight, ...options.capacity }),
        TRUSTED_PROXY_HOPS: 0,
      },
      db: ownDb,
      models,
      egress,
      validator,
      secretBox,
      signals,
      draining: draining.signal,
      sessionChanges,
      signingKey,
      storage,
      extraction: { workerUrl: EXTRACT_WORKER },
      counts,
      limiter: createRateLimiter({ multiplier, now }),
      logger: createLogger({
        ...{ service: 'test', version: 'test', level: options.log ? 'trace' : 'silent' },
        ...(options.log && { destination: { write: (line: string) => void options.log?.push(line) } }),
      }),
      metrics: createMetrics({ service: 'test', version: 'test' }),
    });
    const server = await listen(app);
    if (options.takesRuns !== false) runs.start();
    closers.push(async () => {
      draining.abort();
      await runs.close();
      await server.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await models.close();
      await egress.close();
      await ownDb.close();
    });
    return {
      url: server.url,
      as: (token) => createHttpClient(server.url, token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  const first = await start(firstOptions);

  const newUser: TestRuntime['newUser'] = async (email, changes = {}) => {
    const input = {
      email,
      name: email.split('@')[0] ?? '',
      role: 'user',
      platformAdmin: false,
      project: 'Core',
      ...changes,
    } as const;
    await db.transaction((tx) => createUser(tx, input));
    const { id, name } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    return { id, actor: { userId: id, kind: 'user', label: name } };
  };
  const owner = await newUser('ada@example.com');
  const neighbour = await newUser('carl@example.com', { project: 'Commerce' });

  const ownerWithRoom = createTestOwners(db);
  const newClient: TestRuntime['newClient'] = async (changes = {}) => {
    const wanted = changes.userId ?? (changes.project === 'Commerce' ? neighbour : owner).id;
    const userId = await ownerWithRoom(wanted);
    return db.transaction((tx) => {
      const input: NewOAuthClient = {
        name: 'app',
        redirectUris: [],
        scopes: ['*'],
        project: 'Core',
        ...changes,
        userId,
      };
      return issueOAuthClient(tx, input, owner.actor);
    });
  };

  async function probeMcpServer(id: string): Promise<void> {
    const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
    await refreshMcpServer({ db, fetch: egress.fetch, secrets: secretBox }, owner.actor, id);
    await egress.close();
  }

  const askToken: TestRuntime['askToken'] = (form, headers = {}) =>
    first.as()('POST', '/oauth/token', {
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  return {
    ...first,
    storage,
    filesFolder,
    db,
    counts,
    signingKey,
    secretBox,
    owner,
    newUser,
    newClient,
    askToken,
    start,
    async newToken(changes) {
      const { client_id, client_secret } = await newClient(changes);
      const { body } = await askToken({ grant_type: 'client_credentials', client_id, client_secret });
      return (body as { access_token: string }).access_token;
    },
    async newAgent({ name, project = 'Core', skills = [], callees = [], description = '', ...fields }) {
      const id = newId();
      const created_by = owner.id;
      await db.prisma.agent.create({
        data: { id, project, name, slug: name.toLowerCase(), description, created_by, ...fields },
      });
      const links = callees.map((callee_id, position) => ({ agent_id: id, callee_id, position }));
      await db.prisma.agentCallee.createMany({ data: links });
      for (const [position, skill] of skills.entries()) {
        const defaults = { description: '', instructions: '', parameters: {}, status: 'active' };
        const data = { ...defaults, ...skill, id: newId(), project, created_by };
        await db.prisma.skill.create({ data });
        await db.prisma.agentSkill.create({ data: { agent_id: id, skill_id: data.id, position } });
      }
      return { id };
    },
    async newMcpServer({ name, url, project = 'Core', headers = {}, status, ...over }) {
      const id = newId();
      const data = { id, project, name, slug: name.toLowerCase(), url, created_by: owner.id, ...over };
      await db.prisma.mcpServer.create({ data: { ...data, headers: sealHeaders(secretBox, id, headers) } });
      await probeMcpServer(id);
      if (status) await db.prisma.mcpServer.update({ where: { id }, data: { status } });
      return { id };
    },
    probeMcpServer,
    async newPlugin({ agent, project = 'Core', secrets = [], config, ...fields }) {
      const id = newId();
      const sealed = sealPluginSecrets(secretBox, id, secrets);
      await db.prisma.plugin.create({
        data: { ...fields, id, project, config, secrets: sealed, created_by: owner.id },
      });
      if (agent !== undefined) {
        const { id: agent_id } = await db.prisma.agent.findUniqueOrThrow({ where: { slug: agent } });
        const position = await db.prisma.agentPlugin.count({ where: { agent_id } });
        await db.prisma.agentPlugin.create({ data: { agent_id, plugin_id: id, position } });
      }
      return { id };
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

/** Returns the row id of the agent with this slug. */
export const agentIdOf = async ({ db }: Pick<TestRuntime, 'db'>, slug: string): Promise<string> =>
  (await db.prisma.agent.findUniqueOrThrow({ where: { slug } })).id;
