import type { Caller, Project } from '@millwright/auth';
import {
  ADVISORY_LOCKS,
  encodeId,
  type Database,
  type LockedRecord,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  MOST_MODELS,
  notifyModels,
  readParameters,
  type ModelParameters,
  type ModelPresetName,
} from '@millwright/models';
import { defineRecords } from '@millwright/records';
import { KEPT, type Health, type Model } from './models.contract.js';

interface ModelRow {
  id: string;
  name: string;
  preset: string;
  base_url: string;
  upstream_model: string;
  api_key: string | null;
  parameters: unknown;
  context_window: number;
  max_output: number | null;
  images: boolean;
  image_urls: boolean;
  fallbacks: string[];
  is_default: boolean;
  status: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** A model as its row has it, without values of other tables. */
export type StoredModel = Omit<Model, 'prices' | 'health' | 'is_default'> & { is_default: boolean };

interface HealthRow {
  model: string;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failure_kind: NonNullable<Health['last_failure']>['kind'] | null;
  failure_status: number | null;
  failure_text: string | null;
  is_paused: boolean;
}

const COLUMNS = `r.id, r.name, r.preset, r.base_url, r.upstream_model, r.api_key, r.parameters, r.context_window, r.max_output, r.images,
  r.image_urls, r.fallbacks, r.is_default, r.status, r.version, r.created_at, r.updated_at`;

const toResponse = (row: ModelRow): StoredModel => ({
  id: encodeId('mdl', row.id),
  name: row.name,
  source: 'project',
  preset: row.preset as ModelPresetName,
  base_url: row.base_url,
  upstream_model: row.upstream_model,
  api_key: row.api_key === null ? null : KEPT,
  parameters: readParameters(row.parameters),
  context_window: row.context_window,
  max_output: row.max_output,
  images: row.images,
  image_urls: row.image_urls,
  fallbacks: row.fallbacks,
  is_default: row.is_default,
  status: row.status === 'active' ? 'active' : 'inactive',
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const MODELS = defineRecords<ModelRow, StoredModel>({
  ...{ table: 'models', prefix: 'mdl', noun: 'model' },
  columns: COLUMNS,
  toResponse,
});

/** The columns of a model, with an encrypted API key. */
export interface ModelColumns {
  preset: ModelPresetName;
  base_url: string;
  upstream_model: string;
  api_key: string | null;
  parameters: ModelParameters;
  context_window: number;
  max_output: number | null;
  images: boolean;
  image_urls: boolean;
  fallbacks: string[];
  is_default: boolean;
  status: 'active' | 'inactive';
}

export interface LockedModel extends LockedRecord, Pick<ModelColumns, 'base_url' | 'api_key' | 'preset'> {
  name: string;
}

/** A database, or a transaction of a database. */
export type Reader = Pick<Tx, '$queryRaw'>;

/** Maximum number of models whose health is listed. */
const MOST_HEALTH = 1_000;

function healthOf(row: HealthRow): Health {
  const { last_success_at: success, last_failure_at: failure, failure_kind: kind, is_paused } = row;
  const isFailing = failure !== null && (success === null || success < failure);
  return {
    state: is_paused ? 'paused' : isFailing ? 'failing' : success ? 'healthy' : 'unknown',
    last_success_at: success?.toISOString() ?? null,
    last_failure: failure && {
      at: failure.toISOString(),
      kind: kind ?? 'failed',
      status: row.failure_status,
      message: row.failure_text,
    },
  };
}

/** Models of projects. Every function reads and changes only one project. */
export function createModelStore(db: Database) {
  /** Locks the models of a project until the transaction ends: fallbacks name other models, and only one model is the default. */
  const lockProject = (tx: Tx, project: Project) =>
    tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.models}))::text`;

  async function unmarkOthers(tx: Tx, project: Project, id: string): Promise<void> {
    const where = { project, is_default: true, id: { not: id } };
    await tx.model.updateMany({ where, data: { is_default: false, version: { increment: 1 } } });
  }

  return {
    idOf: MODELS.idOf,

    find: (project: Project, id: string) => MODELS.find(db, project, id),

    /** Finds the row of a model, with its encrypted key. */
    findRow: (project: Project, id: string) => MODELS.findRow(db, project, id),

    /** Lists all models of the project, oldest first. */
    async list(project: Project): Promise<StoredModel[]> {
      const page = { sort: 'created_at', direction: 'asc', limit: MOST_MODELS, offset: 0 } as const;
      return (await MODELS.list(db, project, page)).items;
    },

    /** Reads the names, statuses and default marks of the project's models, oldest first. */
    named: (reader: Reader, project: Project) =>
      reader.$queryRaw<{ name: string; status: string; is_default: boolean }[]>`
        SELECT name, status, is_default FROM models WHERE project = ${project} ORDER BY created_at, id LIMIT ${MOST_MODELS}`,

    /** Returns the outcome of each model's last answer, by the model's name. */
    async health(reader: Reader, project: Project): Promise<ReadonlyMap<string, Health>> {
      const rows = await reader.$queryRaw<HealthRow[]>`
        SELECT model, last_success_at, last_failure_at, failure_kind, failure_status, failure_text,
               coalesce(paused_until > now(), false) AS is_paused
          FROM model_health WHERE project = ${project} ORDER BY model LIMIT ${MOST_HEALTH}`;
      return new Map(rows.map((row) => [row.model, healthOf(row)]));
    },

    /** @throws AppError quota_exceeded, conflict for a name that is taken */
    async create(
      tx: Tx,
      caller: Caller,
      id: string,
      input: ModelColumns & { name: string },
    ): Promise<Versioned<StoredModel>> {
      const { project } = caller;
      await lockProject(tx, project);
      if ((await tx.model.count({ where: { project } })) >= MOST_MODELS) {
        const reason = `the project has ${MOST_MODELS}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'models', reason }] });
      }
      if (input.is_default) await unmarkOthers(tx, project, id);
      const { name, preset, base_url, upstream_model, is_default } = input;
      const row = await MODELS.create(
        tx,
        caller,
        (columns) => tx.model.create({ data: { ...input, ...columns } }),
        () => ({ name, preset, base_url, upstream_model, has_key: input.api_key !== null, is_default }),
        id,
      );
      await notifyModels(tx);
      return MODELS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed */
    async lock(tx: Tx, caller: Caller, target: Target): Promise<LockedModel> {
      await lockProject(tx, caller.project);
      const current = await MODELS.lock(tx, caller, target);
      const row = await tx.model.findUniqueOrThrow({ where: { id: current.id } });
      const { name, base_url, api_key } = row;
      return { ...current, name, base_url, api_key, preset: row.preset as ModelPresetName };
    },

    /** Sets these columns of the locked model. An empty set changes nothing. */
    async change(
      tx: Tx,
      caller: Caller,
      current: LockedModel,
      changes: Partial<ModelColumns>,
    ): Promise<Versioned<StoredModel>> {
      const where = { id: current.id };
      const fields = Object.keys(changes);
      if (fields.length === 0) return MODELS.toVersioned(await tx.model.findUniqueOrThrow({ where }));
      if (changes.is_default) await unmarkOthers(tx, caller.project, current.id);
      const { base_url } = changes;
      const isMoved = base_url !== undefined && base_url !== current.base_url;
      const row = await MODELS.change(
        tx,
        caller,
        current,
        (next) => tx.model.update({ where, data: { ...changes, ...next, updated_at: new Date() } }),
        ({ name }) => ({ name, fields, ...(isMoved && { base_url: { from: current.base_url, to: base_url } }) }),
      );
      // The stored health belongs to the former address, key or upstream model.
      if (isMoved || changes.api_key !== undefined || changes.upstream_model !== undefined)
        await tx.modelHealth.deleteMany({ where: { project: caller.project, model: current.name } });
      await notifyModels(tx);
      return MODELS.toVersioned(row);
    },

    /**
     * @throws AppError not_found, precondition_failed; conflict while an agent or another model names the model. There is no conflict when
     * environment variables define a model with the same name, because this model then replaces the deleted one.
     */
    async remove(tx: Tx, caller: Caller, target: Target, isGiven: (name: string) => boolean): Promise<void> {
      const { project } = caller;
      await lockProject(tx, project);
      await MODELS.remove(tx, caller, target, async ({ id }) => {
        const { name } = await tx.model.delete({ where: { id } });
        if (!isGiven(name)) await requireUnused(tx, project, name);
        await tx.modelHealth.deleteMany({ where: { project, model: name } });
      });
      await notifyModels(tx);
    },
  };
}
export type ModelStore = ReturnType<typeof createModelStore>;

/** Maximum number of records that a refusal names. */
const MOST_NAMED = 3;

async function requireUnused(tx: Tx, project: Project, model: string): Promise<void> {
  const [select, take] = [{ name: true }, MOST_NAMED];
  const agents = await tx.agent.findMany({ where: { project, model }, select, take, orderBy: { id: 'asc' } });
  const models = await tx.model.findMany({ where: { project, fallbacks: { has: model } }, select, take });
  const users = [
    ...agents.map(({ name }) => `the agent "${name}"`),
    ...models.map(({ name }) => `the model "${name}"`),
  ];
  if (users.length === 0) return;
  const listed = users.slice(0, MOST_NAMED).join(', ');
  const reason = `is used by ${listed}; set another model there first, or set this one to inactive`;
  throw new AppError('conflict', { fields: [{ field: 'model', reason }] });
}
