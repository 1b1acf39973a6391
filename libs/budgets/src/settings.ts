import type { Database } from '@millwright/db';
import type { ModelPrices } from '@millwright/models';
import { SHARED_LEVELS } from './budget.js';

interface PriceRow extends ModelPrices {
  project: string;
  model: string;
  valid_from: Date;
}

export interface Settings {
  /** Ids of the projects with active budgets, not counting the budgets of single runs. */
  projects: ReadonlySet<string>;
  /** Returns the price that admins of the project have set for a model and that applies at the time `at`. */
  priceOf: (project: string, model: string, at: Date) => ModelPrices | undefined;
  /** Whether the project's admins have set any price. */
  hasPrices: (project: string) => boolean;
}

/** Age after which settings are reloaded even without a notification, because notifications may be lost. */
const STALE_MS = 30_000;

const keyOf = (project: string, model: string) => JSON.stringify([project, model]);

async function load(db: Pick<Database, 'prepared'>): Promise<Settings> {
  const budgets = await db.prepared<{ project: string }>(
    'list-projects-with-budgets',
    `SELECT p.id AS project FROM projects p
      WHERE EXISTS (SELECT FROM budgets b WHERE b.project = p.id AND b.level = ANY($1) AND b.status = 'active')`,
    [SHARED_LEVELS],
  );
  const prices = await db.prepared<PriceRow>(
    'list-model-prices',
    `SELECT project, model, valid_from, input::float8 AS input, output::float8 AS output
       FROM model_prices ORDER BY valid_from DESC`,
    [],
  );
  const byModel = Map.groupBy(prices, ({ project, model }) => keyOf(project, model));
  const priced = new Set(prices.map(({ project }) => project));
  return {
    projects: new Set(budgets.map(({ project }) => project)),
    hasPrices: (project) => priced.has(project),
    priceOf(project, model, at) {
      const valid = byModel.get(keyOf(project, model))?.find(({ valid_from }) => valid_from <= at);
      return valid && { input: valid.input, output: valid.output };
    },
  };
}

/**
 * Caches which projects have budgets and which prices models have, so that a model call reads neither from the
 * database.
 */
export function createSettings(db: Pick<Database, 'prepared'>, now: () => number = () => performance.now()) {
  let current: Promise<Settings> | undefined;
  let loadedAt = 0;

  function refresh(): Promise<Settings> {
    loadedAt = now();
    const next = load(db);
    current = next;
    next.catch(() => {
      if (current === next) current = undefined;
    });
    return next;
  }

  return {
    refresh: () => void refresh().catch(() => undefined),
    read(): Promise<Settings> {
      const known = current;
      if (known && now() - loadedAt < STALE_MS) return known;
      const next = refresh();
      // Stale settings are used until the new settings have loaded.
      if (known) {
        current = known;
        next.then(
          () => {
            if (current === known) current = next;
          },
          () => undefined,
        );
        return known;
      }
      return next;
    },
  };
}
export type SettingsReader = ReturnType<typeof createSettings>;
