import { createUser, issueApiKey, revokeApiKey, type NewApiKey } from '@millwright/accounts';
import { createTestOwners } from '@millwright/accounts/test-owners';
import { createSpending, SPENDING } from '@millwright/budgets';
import { asRole, createDatabase, type Database } from '@millwright/db';
import { listenTo } from '@millwright/db/notifications';
import { openPluginConfig } from '@millwright/catalog';
import { createEgress } from '@millwright/egress';
import { createAskFilter } from '@millwright/guards';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { checkedFetch, createModelRegistry, MODELS, type ModelDefinition } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  serviceConnection,
  type FakeModel,
  type TestDatabase,
} from '@millwright/testing';
import { createRunSignals, RUNS } from '@millwright/runs';
import { createApp } from './app.js';
import { createAgentRuns } from './chat/agent-runs.js';
import { createPromptRuns, type PromptRuns } from './runs/prompt-runs.js';
import { buildExtractWorker } from '@millwright/documents/build-worker';
import { buildSchemaWorker } from '@millwright/schemas/build-worker';
import { createSecretBox, type SecretBox } from '@millwright/secrets';
import { createSchemaValidator } from '@millwright/schemas';

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, in the type that the caller expects. */
  body: Body;
}

/** The parts of a failure's envelope; an answer of another form may lack them. */
export interface Failure {
  error?: { code: string; message: string; status: number };
  message?: string;
}

export interface CallOptions {
  key?: string;
  /** Body of the request, sent as JSON. */
  body?: unknown;
  /** Body that is sent unchanged, as JSON unless the headers name another type. */
  raw?: string;
  headers?: Record<string, string>;
}

export type Call = <Body = Failure>(method: string, path: string, options?: CallOptions) => Promise<Answer<Body>>;

export interface ReplicaOptions {
  /** Factor of the rate limits. */
  limitMultiplier?: number;
  modelTimeoutMs?: number;
  /** Models that replace the default model. Each entry is the fake model with these settings. */
  models?: readonly Partial<ModelDefinition>[];
  publishedByDefault?: boolean;
  /** Address of the database. A test can set the address of a proxy between the app and the database. */
  databaseUrl?: string;
}

export interface TestApp {
  /** Encrypts the secrets of plugins that a test stores for the app. */
  secretBox: SecretBox;
  url: string;
  database: TestDatabase;
  db: Database;
  model: FakeModel;
  /** The user whose keys `issueKey` makes. */
  author: { id: string; name: string };
  /** Issues a key, by default in project Core with every scope and the professional plan. */
  issueKey: (changes?: Partial<NewApiKey>) => Promise<string>;
  revoke: (key: string) => Promise<void>;
  /** Sends a request with a key of project Core that may do everything, unless `key` names another key; `key: ''` sends no key. */
  call: Call;
  /** The runs that the process executes. */
  promptRuns: PromptRuns;
  /** Starts another replica on the same database. */
  startReplica: (options?: ReplicaOptions) => Promise<{ url: string; call: Call; promptRuns: PromptRuns }>;
  /** Starts a replica without a model. */
  startOffline: () => Promise<Call>;
  close: () => Promise<void>;
}

/** Issuer of gateway tokens. */
export const BASE_URL = 'http://console.test';

const PRICES = { input: 1, output: 2 };

type Closers = (() => Promise<unknown>)[];

/** Starts the prompt API on a new database, with a model that the test controls. */
export async function startTestApp(options: ReplicaOptions = {}): Promise<TestApp> {
  const closers: Closers = [];
  const close = async () => {
    for (const next of closers.splice(0)) await next();
  };
  try {
    return { ...(await startParts(options, closers)), close };
  } catch (failure) {
    // Open connections would keep Jest running.
    await close();
    throw failure;
  }
}

async function startParts(
  { limitMultiplier = 1_000, modelTimeoutMs = 5_000 }: ReplicaOptions,
  closers: Closers,
): Promise<Omit<TestApp, 'close'>> {
  const [database, model, workerUrl, extractWorker] = await Promise.all([
    createTestDatabase(),
    createFakeModel(),
    buildSchemaWorker(),
    buildExtractWorker(),
  ]);
  closers.push(database.drop, model.close);
  const silent = { service: 'prompt-api', version: '0', level: 'silent' };
  const fake: ModelDefinition = {
    name: 'fake-model',
    endpoint: model.url,
    contextWindow: 128_000,
    prices: PRICES,
    fallbacks: [],
    timeoutMs: modelTimeoutMs,
  };
  const offline: ModelDefinition = {
    name: 'offline',
    endpoint: null,
    contextWindow: 128_000,
    fallbacks: [],
    timeoutMs: 1_000,
  };

  const secretBox = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);

  async function start(
    definitions: readonly ModelDefinition[],
    multiplier = limitMultiplier,
    AGENTS_PUBLISHED_BY_DEFAULT = true,
    databaseUrl = database.url,
  ) {
    // Machines that run several test files at once may take long to connect.
    const pool = { poolMax: 10, acquireTimeoutMs: 15_000 };
    const db = createDatabase({ url: database.url, ...pool });
    const areaDb = createDatabase({
      ...serviceConnection(asRole(databaseUrl, 'prompt-api')),
      ...pool,
      refusesNesting: true,
    });
    const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
    const models = createModelRegistry({
      ...{ db: areaDb, environment: definitions, trusted: egress.trusted(), fetch: checkedFetch(egress), secretBox },
      timeoutMs: modelTimeoutMs,
    });
    const validator = createSchemaValidator({ workerUrl, patienceMs: 20_000 });
    const limiter = createRateLimiter({ multiplier });
    const config = {
      ...{ BASE_URL, PROMPT_API_URL: 'http://prompt.test', ...capacityWith(), TRUSTED_PROXY_HOPS: 0 },
      AGENTS_PUBLISHED_BY_DEFAULT,
    };
    const spending = createSpending({ db: areaDb, models });
    const signals = createRunSignals();
    const listeners = [
      { channel: SPENDING, onNotify: spending.refresh },
      { channel: MODELS, onNotify: models.refresh },
      { channel: RUNS, onNotify: signals.hear },
    ].map((channel) =>
      listenTo({
        ...{ url: database.url, ...channel },
        ...{ onConnected: () => Promise.resolve(), onError: () => undefined },
      }),
    );
    const logger = createLogger(silent);
    const askFilter = createAskFilter({
      ...{ fetch: egress.fetch, limiter },
      openConfig: (filter) => openPluginConfig(secretBox, filter),
    });
    const promptRuns = createPromptRuns({ db: areaDb, spending, signals, logger });
    const app = createApp({
      config,
      agentRuns: createAgentRuns({ db: areaDb, models, signals, askFilter, logger }),
      askFilter,
      spending,
      extraction: { workerUrl: extractWorker },
      promptRuns,
      db: areaDb,
      limiter,
      models,
      validator,
      logger,
      metrics: createMetrics(silent),
    });
    const server = await listen(app);
    closers.unshift(async () => {
      await server.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await promptRuns.close();
      await Promise.all([validator.close(), models.close(), limiter.close()]);
      await egress.close();
      await Promise.all([db.close(), areaDb.close()]);
    });
    return { url: server.url, db, promptRuns };
  }

  const { url, db, promptRuns } = await start([fake]);
  const user = await db.transaction((tx) =>
    createUser(tx, { email: 'ada@example.com', name: 'Ada', role: 'admin', platformAdmin: true, project: 'Core' }),
  );
  const { id: userId } = await db.prisma.user.findFirstOrThrow({ where: { email: user.email } });
  const actor = { userId, kind: 'user' as const, label: user.name };
  const ids = new Map<string, string>();
  const ownerWithRoom = createTestOwners(db);

  async function issueKey(changes: Partial<NewApiKey> = {}): Promise<string> {
    const wanted: NewApiKey = {
      name: 'test',
      scopes: ['*'],
      plan: 'professional',
      project: 'Core',
      ...changes,
      userId: await ownerWithRoom(changes.userId ?? userId),
    };
    const issued = await db.transaction((tx) => issueApiKey(tx, wanted, actor));
    ids.set(issued.key, issued.id);
    return issued.key;
  }
  const ownKey = await issueKey();

  return {
    url,
    database,
    db,
    secretBox,
    promptRuns,
    model,
    author: { id: userId, name: user.name },
    issueKey,
    revoke: async (key) => {
      await db.transaction((tx) => revokeApiKey(tx, ids.get(key) ?? '', actor));
    },
    call: callerOf(url, ownKey),
    startReplica: async (options = {}) => {
      const timeoutMs = options.modelTimeoutMs ?? modelTimeoutMs;
      const definitions = (options.models ?? [{}]).map((changes) => ({ ...fake, timeoutMs, ...changes }));
      const { limitMultiplier: multiplier, publishedByDefault, databaseUrl } = options;
      const replica = await start(definitions, multiplier, publishedByDefault, databaseUrl);
      return { url: replica.url, call: callerOf(replica.url, ownKey), promptRuns: replica.promptRuns };
    },
    startOffline: async () => callerOf((await start([offline])).url, ownKey),
  };
}

function callerOf(url: string, ownKey: string): Call {
  const call = async (
    method: string,
    path: string,
    { key = ownKey, body, raw = body === undefined ? undefined : JSON.stringify(body), headers = {} }: CallOptions = {},
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key && { 'api-key': key }),
        ...(raw !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined && { body: raw }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? undefined : JSON.parse(text)) as unknown,
    };
  };
  return call as Call;
}

/** Matchers of Jest with a type other than `any`. */
export const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
export const withFields = (fields: object) => expect.objectContaining(fields) as object;

/** A prompt as in the overview of the specification. */
export const greeting = {
  instruction: {
    static: 'You greet people.',
    state: 'So far: {{conversation.history}}',
    dynamic: 'Greet {{name}}: {{message}}',
  },
  input: {
    name: 'person',
    description: 'Who is greeted',
    type: ['message', 'structured_data'],
    reference: [],
    schema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
  output: { name: 'text', description: 'The greeting', type: 'structured_data', reference: [], schema: {} },
  metadata: { title: 'Greeting', description: 'Says hello', tag: ['hello', 'people'], log_message: 'first' },
};
