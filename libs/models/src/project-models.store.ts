import { readParameters, type ModelParameters } from './parameters.js';
import type { Database, Tx } from '@millwright/db';
import type { ModelDefinition } from './model.js';
import { unknownModel } from './unknown-model.js';

/** Maximum number of models of a project. */
export const MOST_MODELS = 100;

/** Channel of notifications that the models of a project have changed. */
export const MODELS = 'models';

export interface ProjectModelRow {
  id: string;
  name: string;
  preset: string;
  base_url: string;
  upstream_model: string;
  /** Sealed API key of the model. */
  api_key: string | null;
  parameters: ModelParameters;
  context_window: number;
  max_output: number | null;
  images: boolean;
  image_urls: boolean;
  fallbacks: string[];
  is_default: boolean;
  status: string;
  version: number;
}

/** Notifies all services that models of a project have changed, once the transaction commits. */
export const notifyModels = (tx: Tx) => tx.$queryRaw`SELECT pg_notify(${MODELS}, '')::text`;

/** The models of a project, inactive models included, the oldest first. */
export async function listProjectModels(db: Pick<Database, 'prepared'>, project: string): Promise<ProjectModelRow[]> {
  const rows = await db.prepared<ProjectModelRow>(
    'list-models-of-project',
    `SELECT id, name, preset, base_url, upstream_model, api_key, parameters, context_window, max_output, images, image_urls, fallbacks,
            is_default, status, version
       FROM models WHERE project = $1 ORDER BY created_at, id LIMIT ${MOST_MODELS}`,
    [project],
  );
  return rows.map((row) => ({ ...row, parameters: readParameters(row.parameters) }));
}

interface NamedModel {
  name: string;
  status: string;
  is_default: boolean;
}

/** The names that a project may use: its own active models, then the models of the environment whose names no model of the project has. */
export function availableNames(
  rows: readonly NamedModel[],
  environment: readonly Pick<ModelDefinition, 'name'>[],
): string[] {
  const own = new Set(rows.map(({ name }) => name));
  return [
    ...rows.flatMap(({ name, status }) => (status === 'active' ? [name] : [])),
    ...environment.flatMap(({ name }) => (own.has(name) ? [] : [name])),
  ];
}

/**
 * The model for requests that name no model: the model that is marked as default, or else the first model of the
 * environment. The built-in offline model is used only while a project has no other model.
 */
export function defaultName(
  rows: readonly NamedModel[],
  environment: readonly Pick<ModelDefinition, 'name' | 'endpoint'>[],
): string {
  const active = rows.filter(({ status }) => status === 'active');
  const marked = active.find(({ is_default }) => is_default);
  const names = availableNames(rows, environment);
  const given = environment.find(({ name, endpoint }) => endpoint !== null && names.includes(name));
  return marked?.name ?? given?.name ?? active[0]?.name ?? names[0] ?? '';
}

export type ModelCheck = (tx: Tx, project: string, name: string) => Promise<void>;

/** Refuses a name unless the project has a model of that name at this moment. */
export function createModelCheck(environment: readonly Pick<ModelDefinition, 'name'>[]): ModelCheck {
  return async (tx, project, name) => {
    const select = { name: true, status: true, is_default: true } as const;
    const rows = await tx.model.findMany({
      where: { project },
      select,
      orderBy: { created_at: 'asc' },
      take: MOST_MODELS,
    });
    const names = availableNames(rows, environment);
    if (!names.includes(name)) throw unknownModel(name, names);
  };
}
