/** Levels of budgets. A budget of the level `run` is set when its run is started. */
export const LEVELS = ['project', 'api_key', 'client', 'user', 'agent', 'trigger', 'run'] as const;
export type Level = (typeof LEVELS)[number];
/** All levels except `run`. Budgets of runs are excluded, because their number grows with the number of runs. */
export const SHARED_LEVELS = LEVELS.filter((level) => level !== 'run');

/** Periods of budgets, in UTC. */
export const PERIODS = ['day', 'month', 'total'] as const;
export type Period = (typeof PERIODS)[number];

export const UNITS = ['usd', 'tokens'] as const;
export type Unit = (typeof UNITS)[number];

/** Maximum number of a project's budgets, not counting budgets of runs. */
export const MOST_BUDGETS = 500;
/** Maximum number of a project's prices. */
export const MOST_PRICES = 1_000;
/** Maximum amount, in the unit that answers use. The database counts US dollars in millionths. */
export const MOST_AMOUNT = { usd: 1_000_000_000, tokens: 1_000_000_000_000_000 } as const satisfies Record<
  Unit,
  number
>;

const MICROS = 1_000_000;

/**
 * Converts an amount from the unit that answers use to the unit that is counted: millionths of a US dollar, or tokens.
 */
export const toCounted = (unit: Unit, amount: number): bigint =>
  BigInt(unit === 'usd' ? Math.round(amount * MICROS) : amount);

/** Converts a counted amount to the unit that answers use. */
export const fromCounted = (unit: Unit, counted: number | bigint): number =>
  unit === 'usd' ? Number(counted) / MICROS : Number(counted);

/** Formats a counted amount for people: `12.50 USD`, `1,000 tokens`. */
export function amountText(unit: Unit, counted: number | bigint): string {
  const amount = fromCounted(unit, counted);
  if (unit === 'tokens') return `${amount.toLocaleString('en')} tokens`;
  return `${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;
}

/** SQL for the first day of the current period of the budget `alias`. */
export const windowStart = (alias: string): string => `(CASE ${alias}.period
  WHEN 'day' THEN (now() AT TIME ZONE 'UTC')::date
  WHEN 'month' THEN date_trunc('month', now() AT TIME ZONE 'UTC')::date
  ELSE date '1970-01-01' END)`;

/** NOTIFY channel of PostgreSQL for changes of budgets and prices. */
export const SPENDING = 'millwright_spending';
