import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@millwright/audit';
import {
  createUser,
  issueOAuthClient,
  publishSigningKey,
  type NewOAuthClient,
  type NewUser,
  type SigningKey,
} from '@millwright/auth';
import {
  createSecretBox,
  refreshMcpServer,
  sealHeaders,
  sealPluginSecrets,
  type PluginSecret,
  type PluginType,
  type SecretBox,
} from '@millwright/catalog';
import {
  asRole,
  createDatabase,
  createMetricCounts,
  newId,
  type Database,
  type MetricCounts,
  listenTo,
} from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { createLogger, createMetrics } from '@millwright/http';
import { createHttpClient, type ClientAnswer, type HttpClient } from '@millwright/http/sweep';
import { createModels, type ModelDefinition } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSchemaValidator } from '@millwright/schemas';
import { buildSchemaWorker } from '@millwright/schemas/build-worker';
import { createTaskSignals, TASKS } from './a2a/task-signals.js';
import { createApp } from './app.js';
import { createFolderStorage } from './files/storage/folder-storage.js';
import type { FileStorage } from './files/storage/file-storage.js';

type Listen = (app: RequestListener) => Promise<{ url: string; close: () => Promise<void> }>;

export interface ReplicaOptions {
  /** Of every budget. */
  multiplier?: number;
  maxInFlight?: number;
  /** The limiter's clock, Unix milliseconds. */
  now?: () => number;
  modelTimeoutMs?: number;
  toolTimeoutMs?: number;
  /** Whether calls out may reach this machine; by default they may. */
  allowLoopback?: boolean;
  /** In tokens. */
  contextWindow?: number;
  databaseUrl?: string;
  uploadMaxBytes?: number;
  /** Whether OAuth clients may introduce themselves, by registration or document; by default they may. */
  strangers?: boolean;
}

export interface Replica {
  url: string;
  /** As the client of a token, or of nobody. */
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
  project?: 'Core' | 'Commerce';
  description?: string;
  instructions?: string;
  status?: 'active' | 'inactive';
  model?: string;
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
  project?: 'Core' | 'Commerce';
  headers?: Record<string, string>;
  status?: 'active' | 'inactive' | 'unreachable';
}

export interface NewPlugin {
  name: string;
  type: PluginType;
  /** As it is shown. */
  config: object;
  secrets?: PluginSecret[];
  project?: 'Core' | 'Commerce';
  description?: string;
  status?: 'active' | 'inactive';
  /** Whose plugin it becomes. */
  agent?: string;
}

export interface TestRuntime extends Replica {
  db: Database;
  /** Where all its processes keep files, and what of it. */
  storage: FileStorage;
  filesFolder: string;
  /** What the first process counts. */
  counts: MetricCounts;
  signingKey: SigningKey;
  /** Seals what the app opens. */
  box: SecretBox;
  /** An active user who is no admin, in Core. */
  owner: TestUser;
  newUser: (email: string, changes?: Partial<NewUser>) => Promise<TestUser>;
  newClient: (changes?: Partial<NewOAuthClient>) => Promise<TestClient>;
  /** An access token of a new client. */
  newToken: (changes?: Partial<NewOAuthClient>) => Promise<string>;
  /** `POST /oauth/token`. */
  askToken: (
    form: Record<string, string> | string | URLSearchParams,
    headers?: Record<string, string>,
  ) => Promise<ClientAnswer>;
  newAgent: (agent: NewAgent) => Promise<{ id: string }>;
  /** Registers an MCP server and probes it, which approves its tools. */
  newMcpServer: (server: NewMcpServer) => Promise<{ id: string }>;
  /** Probes it again. */
  probeMcpServer: (id: string) => Promise<void>;
  newPlugin: (plugin: NewPlugin) => Promise<{ id: string }>;
  /** Another process of the same installation. */
  start: (options?: ReplicaOptions) => Promise<Replica>;
  close: () => Promise<void>;
}

export const RUNTIME_URL = 'http://runtime.test';
export const BASE_URL = 'http://console.test';

function newSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: newId(), privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
}

/** Area C as tests use it: the real app on a real database, asking the model at `modelUrl`. */
export async function startRuntime(databaseUrl: string, modelUrl: string, listen: Listen): Promise<TestRuntime> {
  // Machines that run several test files at once may take long to connect.
  const pool = { poolMax: 10, acquireTimeoutMs: 15_000 };
  const db = createDatabase({ url: databaseUrl, ...pool });
  const areaDb = createDatabase({ url: asRole(databaseUrl, 'runtime-api'), ...pool });
  const filesFolder = await mkdtemp(join(tmpdir(), 'millwright-files-'));
  const storage = await createFolderStorage(filesFolder);
  const signingKey = newSigningKey();
  await publishSigningKey(areaDb, 'runtime-api', signingKey);
  const counts = createMetricCounts({ db: areaDb, area: 'runtime' });
  const worker = await buildSchemaWorker();
  const validator = createSchemaValidator({ workerUrl: worker.workerUrl, timeoutMs: 2_000 });
  const box = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  const closers: (() => Promise<void>)[] = [
    () => rm(filesFolder, { recursive: true }),
    () => counts.close(),
    () => worker.remove(),
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
    const ownDb = options.databaseUrl === undefined ? areaDb : createDatabase({ url: options.databaseUrl, poolMax: 2 });
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
    ];
    const models = createModels({ models: definitions, fetch: egress.trusted() });
    const signals = createTaskSignals();
    const listener = listenTo({
      url: options.databaseUrl ?? databaseUrl,
      channel: TASKS,
      onNotify: signals.hear,
      onConnected: () => Promise.resolve(),
      onError: () => undefined,
    });
    const app = createApp({
      config: {
        RUNTIME_URL,
        BASE_URL,
        MCP_ALLOWED_ORIGINS: ['https://inspector.test'],
        TOOL_TIMEOUT_MS: toolTimeoutMs,
        OAUTH_DYNAMIC_REGISTRATION: strangers,
        OAUTH_CLIENT_DOCUMENTS: strangers,
        UPLOAD_MAX_BYTES: uploadMaxBytes,
        MAX_IN_FLIGHT: maxInFlight,
        TRUSTED_PROXY_HOPS: 0,
      },
      db: ownDb,
      models,
      egress,
      validator,
      box,
      signals,
      signingKey,
      storage,
      counts,
      limiter: createRateLimiter({ multiplier, now }),
      logger: createLogger({ service: 'test', level: 'silent', version: 'test' }),
      metrics: createMetrics({ service: 'test', version: 'test' }),
    });
    const server = await listen(app);
    closers.push(async () => {
      await server.close();
      await listener.close();
      await models.close();
      await egress.close();
      await ownDb.close();
    });
    return {
      url: server.url,
      as: (token) => createHttpClient(server.url, token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  const first = await start();

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

  const newClient: TestRuntime['newClient'] = (changes = {}) =>
    db.transaction((tx) => {
      const input: NewOAuthClient = {
        userId: changes.project === 'Commerce' ? neighbour.id : owner.id,
        name: 'app',
        redirectUris: [],
        scopes: ['*'],
        project: 'Core',
        ...changes,
      };
      return issueOAuthClient(tx, input, owner.actor);
    });

  async function probeMcpServer(id: string): Promise<void> {
    const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
    await refreshMcpServer({ db, fetch: egress.fetch, secrets: box }, owner.actor, id);
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
    box,
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
    async newAgent({ name, project = 'Core', skills = [], description = '', ...fields }) {
      const id = newId();
      const created_by = owner.id;
      await db.prisma.agent.create({
        data: { id, project, name, slug: name.toLowerCase(), description, created_by, ...fields },
      });
      for (const [position, skill] of skills.entries()) {
        const defaults = { description: '', instructions: '', parameters: {}, status: 'active' };
        const data = { ...defaults, ...skill, id: newId(), project, created_by };
        await db.prisma.skill.create({ data });
        await db.prisma.agentSkill.create({ data: { agent_id: id, skill_id: data.id, position } });
      }
      return { id };
    },
    async newMcpServer({ name, url, project = 'Core', headers = {}, status }) {
      const id = newId();
      const data = { id, project, name, slug: name.toLowerCase(), url, created_by: owner.id };
      await db.prisma.mcpServer.create({ data: { ...data, headers: sealHeaders(box, id, headers) } });
      await probeMcpServer(id);
      if (status) await db.prisma.mcpServer.update({ where: { id }, data: { status } });
      return { id };
    },
    probeMcpServer,
    async newPlugin({ agent, project = 'Core', secrets = [], config, ...fields }) {
      const id = newId();
      const sealed = sealPluginSecrets(box, id, secrets);
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
