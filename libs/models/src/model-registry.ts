import type { Database } from '@millwright/db';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import type { ModelDefinition } from './model.js';
import { createModelHealth } from './model-health.js';
import { createModelCalls, type CallsOptions, type Models } from './models.js';
import type { OpenModel } from './tries.js';
import type { ModelFetch } from './checked-fetch.js';
import {
  availableNames,
  createModelCheck,
  defaultName,
  listProjectModels,
  type ProjectModelRow,
} from './project-models.store.js';

export interface ModelRegistryOptions extends CallsOptions {
  db: Pick<Database, 'prepared'>;
  /** The models of MODEL_* and MODELS_FILE, which every project may use. */
  environment: readonly ModelDefinition[];
  /** Sends requests to models that environment variables define: the function of `egress.trusted()`. */
  trusted: ModelFetch;
  /** Sends requests by the rules of egress, to addresses that admins of projects entered. */
  fetch: ModelFetch;
  secretBox: Pick<SecretBox, 'open'>;
  /** Time limit of a call of a project's model: MODEL_TIMEOUT_MS. */
  timeoutMs: number;
}

/** Milliseconds after which models are read again, because notifications may be lost. */
const STALE_MS = 3_000;

interface Known {
  generation: number;
  readAt: number;
  models: Promise<Models>;
}

interface Opened {
  version: number;
  model: OpenModel;
}

export const toDefinition = (
  row: ProjectModelRow,
  apiKey: string | undefined,
  timeoutMs: number,
): ModelDefinition & { endpoint: string } => ({
  name: row.name,
  endpoint: row.base_url,
  upstreamName: row.upstream_model,
  ...(apiKey !== undefined && { apiKey }),
  contextWindow: row.context_window,
  maxOutput: row.max_output ?? undefined,
  images: row.images,
  imageUrls: row.image_urls,
  parameters: row.parameters,
  fallbacks: row.fallbacks,
  metricName: row.preset,
  timeoutMs,
});

/**
 * The models that each project may call: its own models and the models of the environment. A change by an admin applies
 * in every process immediately, and within three seconds when its notification is lost.
 */
export function createModelRegistry({
  db,
  environment,
  trusted,
  fetch,
  secretBox,
  timeoutMs,
  ...callsOptions
}: ModelRegistryOptions) {
  const { now = () => performance.now() } = callsOptions;
  const calls = createModelCalls(callsOptions);
  const health = createModelHealth(db, { now });
  const known = new Map<string, Known>();
  /** Models by project, then by id. Each has its own connections and breaker. A model that changes is opened again. */
  const opened = new Map<string, Map<string, Opened>>();
  let generation = 0;

  function keyOf({ id, api_key: sealed }: ProjectModelRow): string | undefined {
    return sealed === null ? undefined : secretBox.open(sealed, secretPlaces.model(id));
  }

  function openOwn(project: string, row: ProjectModelRow): OpenModel {
    health.forget(project, row.name);
    let apiKey: string | undefined;
    let send = fetch;
    try {
      apiKey = keyOf(row);
    } catch (error) {
      // When the key cannot be decrypted, the model stays in the list, and each call of the model fails with the cause.
      send = () => Promise.reject(error instanceof Error ? error : new Error('The API key cannot be opened.'));
    }
    return calls.open(toDefinition(row, apiKey, timeoutMs), send, (report) =>
      health.recordCall(project, report, apiKey),
    );
  }

  const openGiven = (project: string, definition: ModelDefinition): OpenModel =>
    calls.open(definition, trusted, (report) => {
      if (definition.endpoint !== null) health.recordCall(project, report, definition.apiKey);
    });

  async function load(project: string): Promise<Models> {
    const rows = await listProjectModels(db, project);
    const before = opened.get(project) ?? new Map<string, Opened>();
    const own = rows.map((row): [string, Opened] => {
      const same = before.get(row.id);
      return [row.id, same?.version === row.version ? same : { version: row.version, model: openOwn(project, row) }];
    });
    const given = environment.map((definition): [string, Opened] => {
      const id = `environment:${definition.name}`;
      return [id, before.get(id) ?? { version: 0, model: openGiven(project, definition) }];
    });
    const present = new Map([...own, ...given]);
    opened.set(project, present);
    for (const [id, { model }] of before) {
      if (present.get(id)?.model !== model) model.breaker.forget();
      if (!present.has(id)) health.forget(project, model.definition.name);
    }
    const names = new Set(availableNames(rows, environment));
    const hidden = new Set(rows.map(({ name }) => name));
    const models = [
      ...own.map(([, { model }]) => model).filter(({ definition }) => names.has(definition.name)),
      ...given.map(([, { model }]) => model).filter(({ definition }) => !hidden.has(definition.name)),
    ];
    return calls.choice(models, defaultName(rows, environment));
  }

  return {
    /** Returns the models of a project as they are now. @throws the error of the database when the models cannot be read */
    of(project: string): Promise<Models> {
      const last = known.get(project);
      if (last?.generation === generation && now() - last.readAt < STALE_MS) return last.models;
      const next: Known = { generation, readAt: now(), models: load(project) };
      known.set(project, next);
      next.models.catch(() => {
        if (known.get(project) === next) known.delete(project);
      });
      return next.models;
    },

    /** Refuses a name unless the project currently has a model of that name. */
    requireModel: createModelCheck(environment),

    /** Makes the next call of `of` read the models again. Call this when the notification `MODELS` arrives. */
    refresh: (): void => {
      generation += 1;
    },

    /** Resolves when the health of the models is stored. */
    idle: () => health.idle(),

    /** Ends all open calls. */
    async close(): Promise<void> {
      await calls.close();
      await health.idle();
    },
  };
}
export type ModelRegistry = ReturnType<typeof createModelRegistry>;

/** The models that each project may call. */
export interface ProjectModels {
  of(project: string): Models | Promise<Models>;
}
