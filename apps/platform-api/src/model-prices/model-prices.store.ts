import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { MOST_PRICES, SPENDING } from '@millwright/budgets';
import { ADVISORY_LOCKS, conflictWhenTaken, decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { MOST_MODELS, unknownModel, type ModelDefinition, type ModelPrices } from '@millwright/models';
import type { ModelPrice, NewModelPrice } from './model-prices.contract.js';

/** The name and the price of a model of the installation. */
export type PricedModel = Pick<ModelDefinition, 'name' | 'prices'>;

interface PriceRow {
  id: string;
  model: string;
  valid_from: Date;
  input: number;
  output: number;
  created_at: Date;
  is_current: boolean;
}

/** A database, or a transaction of a database. */
type Reader = Pick<Tx, '$queryRaw'>;

/** Milliseconds by which the start time of a new price may be in the past, because clocks differ. */
const LATE_MS = 60_000;

const toResponse = ({ id, model, input, output, valid_from, created_at, is_current }: PriceRow): ModelPrice => ({
  id: encodeId('mpr', id),
  ...{ model, input, output },
  valid_from: valid_from.toISOString(),
  is_current,
  created_at: created_at.toISOString(),
});

const LIST = `
  SELECT id, model, valid_from, input::float8 AS input, output::float8 AS output, created_at,
         id = first_value(id) OVER (PARTITION BY model, valid_from <= now() ORDER BY valid_from DESC) AND valid_from <= now() AS is_current
    FROM model_prices WHERE project = $1 ORDER BY model, valid_from DESC LIMIT ${MOST_PRICES}`;

const notify = (tx: Tx) => tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;

/** Prices of models in a project. Every function reads and changes only one project. */
export function createModelPriceStore(db: Database, environment: readonly PricedModel[]) {
  /** Returns the names of the project's models and of the environment's models. */
  async function names(reader: Reader, project: Project): Promise<string[]> {
    const own = await reader.$queryRaw<{ name: string }[]>`
      SELECT name FROM models WHERE project = ${project} ORDER BY created_at, id LIMIT ${MOST_MODELS}`;
    return [...new Set([...own, ...environment].map(({ name }) => name))];
  }

  return {
    models: (project: Project) => names(db.prisma, project),

    /** Returns the current price of each model in the project, by the model's name. */
    async current(reader: Reader, project: Project): Promise<ReadonlyMap<string, ModelPrices>> {
      const rows = await reader.$queryRaw<(ModelPrices & { model: string })[]>`
        SELECT DISTINCT ON (model) model, input::float8 AS input, output::float8 AS output
          FROM model_prices WHERE project = ${project} AND valid_from <= ${new Date()} ORDER BY model, valid_from DESC LIMIT ${MOST_PRICES}`;
      const given = environment.flatMap(({ name, prices }): [string, ModelPrices][] =>
        prices ? [[name, prices]] : [],
      );
      return new Map([...given, ...rows.map(({ model, input, output }) => [model, { input, output }] as const)]);
    },

    /** Lists the project's prices before the installation's. */
    async list(project: Project): Promise<ModelPrice[]> {
      const rows = await db.prepared<PriceRow>('list-prices-of-project', LIST, [project]);
      const own = rows.map(toResponse);
      const ofInstallation = environment.flatMap(({ name: model, prices }): ModelPrice[] => {
        const is_current = !own.some((price) => price.model === model && price.is_current);
        return prices ? [{ id: null, model, ...prices, valid_from: null, is_current, created_at: null }] : [];
      });
      return [...own, ...ofInstallation];
    },

    /**
     * @throws AppError validation_error for an unknown model or a start time in the past; quota_exceeded; conflict for a second price of the model
     * with the same start time
     */
    async create(tx: Tx, caller: Caller, { model, input, output, valid_from }: NewModelPrice): Promise<ModelPrice> {
      const { project, actor } = caller;
      const now = new Date();
      const from = valid_from === undefined ? now : new Date(valid_from);
      const known = await names(tx, project);
      if (!known.includes(model)) throw unknownModel(model, known);
      if (from.getTime() < now.getTime() - LATE_MS)
        throw invalidField('valid_from', 'must not be in the past: costs of past runs stay as they are');
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.modelPrices}))::text`;
      if ((await tx.modelPrice.count({ where: { project } })) >= MOST_PRICES) {
        const reason = `the project has ${MOST_PRICES}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'model_prices', reason }] });
      }
      const data = { id: newId(), project, model, input, output, valid_from: from, created_by: actor.userId };
      const row = await tx.modelPrice.create({ data }).catch(conflictWhenTaken);
      const detail = { model, input, output, valid_from: from.toISOString() };
      const resource = encodeId('mpr', row.id);
      await recordDecision(tx, { actor, action: 'model_price.create', resource, project, detail });
      await notify(tx);
      return toResponse({ ...row, input, output, is_current: from <= new Date() });
    },

    /** @throws AppError not_found */
    async remove(tx: Tx, { project, actor }: Caller, id: string): Promise<void> {
      const uuid = decodeId('mpr', id);
      const where = { id: uuid ?? '', project };
      const row = uuid === undefined ? null : await tx.modelPrice.findFirst({ where });
      if (!row) throw new AppError('not_found');
      await tx.modelPrice.deleteMany({ where });
      const detail = { model: row.model, valid_from: row.valid_from.toISOString() };
      await recordDecision(tx, { actor, action: 'model_price.delete', resource: id, project, detail });
      await notify(tx);
    },
  };
}
export type ModelPriceStore = ReturnType<typeof createModelPriceStore>;
