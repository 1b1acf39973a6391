import type { Caller, Project } from '@millwright/auth';
import { newId, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { AppError, invalidField } from '@millwright/errors';
import { requireFound } from '@millwright/http';
import {
  checkedFetch,
  defaultName,
  MODEL_ANSWER_MAX_BYTES,
  MODEL_PRESETS,
  testModel,
  type ModelDefinition,
  type ModelFetch,
  type ModelHealth,
  type ModelPresetName,
  type ModelTest,
} from '@millwright/models';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import type { ModelPriceStore } from '../model-prices/model-prices.store.js';
import {
  KEPT,
  type Health,
  type Model,
  type ModelChanges,
  type ModelTestResult,
  type NewModel,
} from './models.contract.js';
import type { ModelColumns, ModelStore, Reader, StoredModel } from './models.store.js';

export interface ModelServiceOptions {
  db: Database;
  models: ModelStore;
  prices: ModelPriceStore;
  /** The models that the environment variables MODEL_* and the file MODELS_FILE define. */
  environment: readonly ModelDefinition[];
  egress: Pick<Egress, 'fetch' | 'trusted' | 'checkReachable' | 'checkUrl'>;
  secretBox: SecretBox;
  /** Time limit of a call of a project's model: MODEL_TIMEOUT_MS. */
  timeoutMs: number;
  /** Stores the outcome of a test call of a model. */
  health: Pick<ModelHealth, 'recordTest'>;
}

const ENVIRONMENT = 'environment:';

const UNKNOWN: Health = { state: 'unknown', last_success_at: null, last_failure: null };

/** The reason is the same for every refused address, so that the answer reveals nothing about our network. */
const NOT_REACHABLE =
  'must be an address that this installation may call, by https, without a redirect; an operator allows others by EGRESS_ALLOW';
const NO_BASE = 'must be a URL without a user, query or fragment';

type StoredChanges = Partial<ModelColumns>;

/** The rules of models: which addresses and names are allowed, and which keys are kept. */
export function createModelService(options: ModelServiceOptions) {
  const { db, models, prices, environment, egress, secretBox, timeoutMs, health } = options;
  const checked = checkedFetch(egress);
  let given: ModelFetch | undefined;
  const trusted: ModelFetch = (url, init) => {
    given ??= egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES });
    return given(url, init);
  };
  const isGiven = (name: string) => environment.some((model) => model.name === name);

  /** Returns the base address to store. @throws AppError validation_error for a `base_url` that is missing or not allowed */
  function baseAddress(preset: ModelPresetName, address: string | undefined): string {
    const { baseUrl } = MODEL_PRESETS[preset];
    const text = address ?? baseUrl;
    if (text === null || (address === undefined && text.includes('YOUR-')))
      throw invalidField('base_url', `is required for the preset ${preset}`);
    try {
      const { username, password, search, hash } = egress.checkUrl(text);
      if (username || password || search || hash) throw invalidField('base_url', NO_BASE);
    } catch (error) {
      throw error instanceof EgressError ? invalidField('base_url', NOT_REACHABLE) : error;
    }
    return text.replace(/\/+$/, '');
  }

  const seal = (id: string, key: string) => secretBox.seal(key, secretPlaces.model(id));

  /**
   * Returns the API key to store, encrypted; `undefined` leaves the stored key unchanged.
   * @throws AppError validation_error for `api_key` when no key is stored that `KEPT` could keep, or when a kept key would be sent to another origin
   */
  function sealedKey(
    id: string,
    key: string | null | undefined,
    current: Pick<ModelColumns, 'base_url' | 'api_key'> | undefined,
    baseUrl: string | undefined,
  ): string | null | undefined {
    if (key !== undefined && key !== KEPT) return key === null ? null : seal(id, key);
    if (key === KEPT && !current?.api_key) throw invalidField('api_key', 'has no value to keep');
    const isMoved = current && baseUrl !== undefined && new URL(baseUrl).origin !== new URL(current.base_url).origin;
    if (isMoved && current.api_key !== null)
      throw invalidField('api_key', 'must be sent with its value when base_url leads to another origin');
    return undefined;
  }

  function requireFallbacks(
    name: string,
    fallbacks: readonly string[] | undefined,
    own: readonly { name: string }[],
  ): void {
    const wrong = fallbacks?.find(
      (other) => other === name || !(isGiven(other) || own.some((model) => model.name === other)),
    );
    if (wrong === undefined) return;
    const reason = wrong === name ? 'must not name the model itself' : `"${wrong}" is not a model of this project`;
    throw invalidField('fallbacks', reason);
  }

  /** Returns the columns that a change sets. @throws AppError validation_error for a new name, and for an address or a key that is not allowed */
  function columnsOf(
    current: Pick<ModelColumns, 'base_url' | 'api_key' | 'preset'> & { id: string; name: string },
    { name, preset, base_url, api_key, upstream_model, ...changes }: ModelChanges,
  ): StoredChanges {
    if (name !== undefined && name !== current.name)
      throw invalidField('name', 'never changes: agents and runs refer to it. Add another model instead.');
    const address = base_url === undefined ? undefined : baseAddress(preset ?? current.preset, base_url);
    const key = sealedKey(current.id, api_key, current, address);
    const { parameters, context_window, max_output, images, image_urls, fallbacks, is_default, status } = changes;
    const set = {
      ...{ preset, base_url: address, api_key: key, upstream_model, parameters, context_window, max_output },
      ...{ images, image_urls, fallbacks, is_default, status },
    };
    return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  }

  const definitionOf = (
    columns: Pick<ModelColumns, 'base_url' | 'upstream_model' | 'parameters' | 'context_window'>,
    name: string,
    apiKey: string | undefined,
  ): ModelDefinition => ({
    name,
    endpoint: columns.base_url,
    upstreamName: columns.upstream_model,
    ...(apiKey !== undefined && { apiKey }),
    parameters: columns.parameters,
    contextWindow: columns.context_window,
    fallbacks: [],
    timeoutMs,
  });

  const ofEnvironment = (model: ModelDefinition): StoredModel => ({
    id: `${ENVIRONMENT}${model.name}`,
    name: model.name,
    source: 'environment',
    preset: null,
    base_url: model.endpoint,
    upstream_model: model.upstreamName ?? model.name,
    api_key: model.apiKey === undefined ? null : KEPT,
    parameters: {},
    context_window: model.contextWindow,
    max_output: model.maxOutput ?? null,
    images: model.images ?? false,
    image_urls: model.imageUrls ?? false,
    fallbacks: [...model.fallbacks],
    is_default: false,
    status: 'active',
    created_at: null,
    updated_at: null,
  });

  /** Adds health, prices and the default mark to models. Only admins see addresses and messages of the models' servers. */
  async function completed(
    reader: Reader,
    project: Project,
    listed: readonly StoredModel[],
    isAdmin: boolean,
  ): Promise<Model[]> {
    const healthOf = await models.health(reader, project);
    const pricesOf = await prices.current(reader, project);
    const rows = await models.named(reader, project);
    const standard = defaultName(rows, environment);
    return listed.map((model): Model => {
      const { last_failure: failure, ...state } = healthOf.get(model.name) ?? UNKNOWN;
      return {
        ...model,
        ...(!isAdmin && { base_url: null }),
        prices: pricesOf.get(model.name) ?? null,
        is_default: model.name === standard,
        health: { ...state, last_failure: failure && { ...failure, ...(!isAdmin && { message: null }) } },
      };
    });
  }

  function findGiven(id: string): ModelDefinition | undefined {
    return id.startsWith(ENVIRONMENT)
      ? environment.find(({ name }) => name === id.slice(ENVIRONMENT.length))
      : undefined;
  }

  async function completeChanged(
    tx: Tx,
    { project }: Caller,
    { record, version }: Versioned<StoredModel>,
  ): Promise<Versioned<Model>> {
    const [model] = await completed(tx, project, [record], true);
    return { record: requireFound(model), version };
  }

  async function setPrices(tx: Tx, caller: Caller, model: string, wanted: ModelChanges['prices']): Promise<void> {
    if (wanted === undefined) return;
    const present = (await prices.current(tx, caller.project)).get(model);
    if (wanted === null) {
      if (present) throw invalidField('prices', 'are removed by DELETE /api/v1/model-prices/{price_id}');
      return;
    }
    if (present?.input === wanted.input && present.output === wanted.output) return;
    await prices.create(tx, caller, { model, ...wanted });
  }

  const note = (project: Project, { name }: ModelDefinition, { failure }: ModelTest): void =>
    health.recordTest(project, name, failure ?? 'succeeded');

  return {
    async list(project: Project, isAdmin: boolean): Promise<Model[]> {
      const own = await models.list(project);
      const names = new Set(own.map(({ name }) => name));
      const further = environment.filter(({ name }) => !names.has(name)).map(ofEnvironment);
      return completed(db.prisma, project, [...own, ...further], isAdmin);
    },

    /** @throws AppError not_found */
    async find(project: Project, id: string, isAdmin: boolean): Promise<Versioned<Model>> {
      const model = findGiven(id);
      const found = model ? { record: ofEnvironment(model), version: 1 } : await models.find(project, id);
      if (!found) throw new AppError('not_found');
      const [record] = await completed(db.prisma, project, [found.record], isAdmin);
      return { record: requireFound(record), version: found.version };
    },

    /** @throws AppError conflict for a model that environment variables define */
    requireChangeable(id: string): void {
      if (!findGiven(id)) return;
      const reason = 'is of the environment: an operator changes MODEL_* or MODELS_FILE';
      throw new AppError('conflict', { fields: [{ field: 'model', reason }] });
    },

    /**
     * Checks an address over the network. The function must be called outside transactions.
     * @throws AppError validation_error for `base_url` when the address is not allowed
     */
    async requireReachable(preset: ModelPresetName, address: string | undefined): Promise<void> {
      try {
        await egress.checkReachable(baseAddress(preset, address));
      } catch (error) {
        // A host name may be created after the model is added; each connection checks the address again.
        if (error instanceof EgressError && error.kind === 'unresolvable') return;
        throw error instanceof EgressError ? invalidField('base_url', NOT_REACHABLE) : error;
      }
    },

    async create(tx: Tx, caller: Caller, input: NewModel): Promise<Versioned<Model>> {
      const { name, preset, base_url, api_key, upstream_model = name, prices: wanted, ...columns } = input;
      const id = newId();
      requireFallbacks(name, columns.fallbacks, await models.named(tx, caller.project));
      const address = baseAddress(preset, base_url);
      const key = sealedKey(id, api_key, undefined, address) ?? null;
      const created = await models.create(tx, caller, id, {
        ...columns,
        ...{ name, preset, upstream_model, base_url: address, api_key: key },
      });
      await setPrices(tx, caller, name, wanted);
      return completeChanged(tx, caller, created);
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: ModelChanges): Promise<Versioned<Model>> {
      const current = await models.lock(tx, caller, target);
      const columns = columnsOf(current, changes);
      if (columns.fallbacks) requireFallbacks(current.name, columns.fallbacks, await models.named(tx, caller.project));
      const changed = await models.change(tx, caller, current, columns);
      await setPrices(tx, caller, current.name, changes.prices);
      return completeChanged(tx, caller, changed);
    },

    remove: (tx: Tx, caller: Caller, target: Target) => models.remove(tx, caller, target, isGiven),

    /** Calls a model that is not stored. @throws AppError validation_error for an address or a key that is not allowed */
    async testDraft(input: NewModel, signal?: AbortSignal): Promise<ModelTestResult> {
      const { name, preset, base_url, api_key, upstream_model = name } = input;
      if (api_key === KEPT) throw invalidField('api_key', 'has no value to keep');
      const columns = { ...input, upstream_model, base_url: baseAddress(preset, base_url) };
      return toResult(await testModel(definitionOf(columns, name, api_key ?? undefined), checked, signal));
    },

    /** Calls a stored model, with these changes if there are any. @throws AppError not_found, validation_error */
    async test(project: Project, id: string, changes: ModelChanges, signal?: AbortSignal): Promise<ModelTestResult> {
      const isChanged = Object.values(changes).some((value) => value !== undefined);
      const definition = findGiven(id);
      if (definition) {
        if (isChanged) throw invalidField('model', 'is of the environment, and has no changes to test');
        const outcome = await testModel(definition, trusted, signal);
        if (definition.endpoint !== null) note(project, definition, outcome);
        return toResult(outcome);
      }
      const [row, found] = await Promise.all([models.findRow(project, id), models.find(project, id)]);
      if (!row || !found) throw new AppError('not_found');
      const current = { ...found.record, base_url: row.base_url, api_key: row.api_key, id: row.id };
      const { preset } = found.record;
      const columns = columnsOf({ ...current, preset: preset ?? 'compatible' }, changes);
      const { api_key: sealed, ...changed } = { ...current, ...columns };
      const apiKey = sealed === null ? undefined : secretBox.open(sealed, secretPlaces.model(row.id));
      const draft = definitionOf(changed, row.name, apiKey);
      const outcome = await testModel(draft, checked, signal);
      if (!isChanged) note(project, draft, outcome);
      return toResult(outcome);
    },
  };
}
export type ModelService = ReturnType<typeof createModelService>;

const toResult = ({ ok, latencyMs, answer, upstreamModel, failure }: ModelTest): ModelTestResult => ({
  ok,
  latency_ms: latencyMs,
  answer,
  upstream_model: upstreamModel,
  failure: failure && { kind: failure.kind, status: failure.status, message: failure.text, advice: failure.advice },
});
