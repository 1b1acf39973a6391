import { newId, Prisma, encodeId, type Database, type Tx } from '@millwright/db';
import { recordEvent } from '@millwright/events';
import { fromCounted, windowStart, type Level, type Period, type Unit } from './budget.js';

/** The payer of a model call, and the agent, trigger or prompt for which the call is made, by row ids. */
export interface Payer {
  project: string;
  userId: string;
  apiKeyId?: string | undefined;
  /** Public id of the OAuth client. */
  clientId?: string | undefined;
  agentId?: string | undefined;
  triggerId?: string | undefined;
  /** The run for which the call is made, and its current attempt. */
  run?: { runId: string; attempt: number } | undefined;
  /** Id of the budget that was set when the run was started. */
  budgetId?: string | undefined;
}

/** The worst case of a call: the maximum that it may spend. */
export interface Need {
  tokens: number;
  /** Millionths of a US dollar; undefined when a price is unknown. */
  micros: number | undefined;
}

/** What a call reserves in one budget. Amounts are whole numbers in the counted unit of the budget. */
export interface Part {
  budgetId: string;
  startsOn: string;
  unit: Unit;
}

export interface Reservation {
  id: string;
  parts: readonly Part[];
}

/** The budget that refused a call, in the state that it had at the refusal. */
export interface Refusal {
  budgetId: string;
  name: string;
  level: Level;
  period: Period;
  unit: Unit;
  amount: number;
  reserved: number;
  spent: number;
  /** Amount that the call needs; undefined when a price is unknown. */
  need: number | undefined;
}

interface Row {
  budget_id: string;
  name: string;
  project: string;
  level: Level;
  period: Period;
  unit: Unit;
  starts_on: string;
  /** Amount spent in the period; null when the period has no row yet. */
  amount: number | null;
  reserved: number;
  spent: number;
  need: number | null;
  is_reserved: boolean;
  is_reported: boolean;
}

const START = windowStart('b');
/**
 * SQL conditions that select the budgets of a payer. The second condition adds the budget of an OAuth client, for
 * services that may read the table of clients.
 */
const OF_PAYER = `b.project = $1 AND b.status = 'active' AND (b.level = 'project' OR b.user_id = $2::uuid OR b.api_key_id = $3::uuid
  OR b.agent_id = $4::uuid OR b.trigger_id = $5::uuid OR b.id = $6::uuid`;
const OF_CLIENT = ' OR b.client_id = (SELECT id FROM oauth_clients WHERE client_id = $13)';

/**
 * SQL that reserves in all budgets of a payer, or in none. It locks the rows of the budgets in a fixed order, and
 * changes all of them when each has room. The condition reads the locked rows, so that it is exact with concurrent
 * calls.
 */
const reserveText = (ofClient: string) => `
  WITH applying AS MATERIALIZED (
    SELECT b.id, b.name, b.project, b.level, b.period, b.unit, ${START} AS starts_on,
           CASE b.unit WHEN 'tokens' THEN $7::bigint ELSE $8::bigint END AS need
      FROM budgets b WHERE ${OF_PAYER}${ofClient})),
  held AS MATERIALIZED (
    SELECT w.budget_id, w.starts_on, w.amount, w.reserved, w.spent, w.exhausted_at, a.need
      FROM budget_windows w JOIN applying a ON a.id = w.budget_id AND a.starts_on = w.starts_on
     ORDER BY w.budget_id FOR UPDATE OF w),
  verdict AS MATERIALIZED (
    SELECT count(*) = (SELECT count(*) FROM applying) AND bool_and(need IS NOT NULL AND spent + reserved + need <= amount) AS fits
      FROM held),
  changed AS (
    UPDATE budget_windows w SET reserved = w.reserved + h.need FROM held h, verdict v
     WHERE v.fits AND w.budget_id = h.budget_id AND w.starts_on = h.starts_on
    RETURNING w.budget_id),
  kept AS (
    INSERT INTO budget_reservations (id, budget_id, starts_on, amount, run_id, attempt, lapses_at)
    SELECT $9::uuid, h.budget_id, h.starts_on, h.need, $10::uuid, $11::int, now() + $12::float8 * interval '1 millisecond'
      FROM held h JOIN changed c ON c.budget_id = h.budget_id)
  SELECT a.id AS budget_id, a.name, a.project, a.level, a.period, a.unit, a.starts_on::text AS starts_on, a.need::float8 AS need,
         h.amount::float8 AS amount, coalesce(h.reserved, 0)::float8 AS reserved, coalesce(h.spent, 0)::float8 AS spent,
         h.exhausted_at IS NOT NULL AS is_reported, EXISTS (SELECT FROM changed) AS is_reserved
    FROM applying a LEFT JOIN held h ON h.budget_id = a.id ORDER BY a.id`;

const OPEN = `
  INSERT INTO budget_windows (budget_id, starts_on, amount)
  SELECT b.id, ${START}, b.amount FROM budgets b WHERE b.id = ANY($1::uuid[]) ORDER BY b.id FOR SHARE
  ON CONFLICT (budget_id, starts_on) DO NOTHING`;

/**
 * Releases the reservations that match the condition. Locks rows of budgets in the same order as all other statements.
 */
const returnWhere = (condition: Prisma.Sql, limit: number) => Prisma.sql`
  WITH due AS MATERIALIZED (
    SELECT id, budget_id, starts_on FROM budget_reservations WHERE ${condition} LIMIT ${limit}::int),
  locked AS MATERIALIZED (
    SELECT w.budget_id, w.starts_on FROM budget_windows w
     WHERE (w.budget_id, w.starts_on) IN (SELECT budget_id, starts_on FROM due) ORDER BY w.budget_id, w.starts_on FOR UPDATE OF w),
  gone AS (
    DELETE FROM budget_reservations r USING due d, locked l
     WHERE r.id = d.id AND r.budget_id = d.budget_id AND l.budget_id = d.budget_id AND l.starts_on = d.starts_on
    RETURNING r.budget_id, r.starts_on, r.amount),
  sums AS (SELECT budget_id, starts_on, sum(amount) AS amount FROM gone GROUP BY budget_id, starts_on)
  UPDATE budget_windows w SET reserved = w.reserved - s.amount FROM sums s
   WHERE w.budget_id = s.budget_id AND w.starts_on = s.starts_on`;

/**
 * Maximum time, in milliseconds, that a transaction may be idle between settling and committing. The server ends a
 * transaction that exceeds it, because the transaction locks rows of budgets that every call of the project needs.
 */
const MOST_HELD_MS = 3_000;
/** Spent share of a budget at which a warning is reported. */
const WARNED_AT = 0.8;
/**
 * Maximum number of attempts to reserve. An attempt that finds budgets without a row for the current period adds the
 * rows and is repeated. Fewer periods than this number can begin while a call starts.
 */
const MOST_TRIES = 4;
/** Maximum number of reservations that one statement releases. */
const MOST_RETURNED = 500;

const isFull = ({ need, amount, reserved, spent }: Row) =>
  need === null || amount === null || spent + reserved + need > amount;

const toRefusal = ({
  budget_id: budgetId,
  name,
  level,
  period,
  unit,
  amount,
  reserved,
  spent,
  need,
}: Row): Refusal => ({
  ...{ budgetId, name, level, period, unit, reserved, spent },
  amount: amount ?? 0,
  need: need ?? undefined,
});

type EventRow = Pick<Row, 'budget_id' | 'name' | 'project' | 'level' | 'period' | 'unit' | 'starts_on' | 'spent'> & {
  amount: number;
};

/**
 * Reports the state of a budget to webhooks. Budgets of single runs are not reported, because the event of the run that waits for its
 * budget already reports the budget.
 */
async function report(tx: Tx, type: 'budget.warning' | 'budget.exhausted', row: EventRow): Promise<void> {
  const { budget_id, name, project, level, period, unit, starts_on, amount, spent } = row;
  if (level === 'run') return;
  const budget = encodeId('bud', budget_id);
  const sums = { amount: fromCounted(unit, amount), spent: fromCounted(unit, spent) };
  const data = { budget, name, level, period, unit, ...sums, window_start: starts_on };
  await recordEvent(tx, { project, type, subject: budget, data });
}

/**
 * Store of the reserved and spent amounts, one row for each period of a budget. Every statement locks rows in the order
 * of their budgets.
 */
export function createWindowStore(db: Database) {
  async function tryReserve(payer: Payer, { tokens, micros }: Need, id: string, lifeMs: number): Promise<Row[]> {
    const { project, userId, apiKeyId, clientId, agentId, triggerId, run, budgetId } = payer;
    const values = [
      ...[project, userId, apiKeyId, agentId, triggerId, budgetId, tokens, micros, id, run?.runId, run?.attempt],
      lifeMs,
    ].map((value) => value ?? null);
    return clientId === undefined
      ? db.prepared<Row>('reserve-budgets', reserveText(''), values)
      : db.prepared<Row>('reserve-budgets-of-client', reserveText(OF_CLIENT), [...values, clientId]);
  }

  /** Reports the budgets that a call would exceed even without the reservations of other calls. Each budget is reported once per period. */
  async function noteExhausted(rows: readonly Row[]): Promise<void> {
    const full = rows.filter(
      ({ need, amount, spent, is_reported }) =>
        !is_reported && need !== null && amount !== null && spent + need > amount,
    );
    for (const row of full)
      await db.transaction(async (tx) => {
        const [noted] = await tx.$queryRaw<{ amount: number; spent: number }[]>`
          UPDATE budget_windows SET exhausted_at = now()
           WHERE budget_id = ${row.budget_id}::uuid AND starts_on = ${row.starts_on}::date AND exhausted_at IS NULL
             AND spent + ${row.need}::bigint > amount
          RETURNING amount::float8 AS amount, spent::float8 AS spent`;
        if (noted) await report(tx, 'budget.exhausted', { ...row, ...noted });
      });
  }

  async function returnExpired(budgetIds: readonly string[]): Promise<number> {
    const expired = Prisma.sql`budget_id = ANY(${[...budgetIds]}::uuid[]) AND lapses_at < now()`;
    return db.transaction((tx) => tx.$executeRaw(returnWhere(expired, MOST_RETURNED)));
  }

  return {
    /**
     * Reserves the maximum that a call may spend, in every budget of its payer.
     * @returns the reservation; `undefined` when no budget applies; or the refusal by a budget that has not enough room
     */
    async reserve(payer: Payer, need: Need, lifeMs: number): Promise<Reservation | { refusal: Refusal } | undefined> {
      const id = newId();
      let hasReturned = false;
      for (let tries = 0; ; tries += 1) {
        const rows = await tryReserve(payer, need, id, lifeMs);
        const [first] = rows;
        if (!first) return undefined;
        if (first.is_reserved)
          return {
            id,
            parts: rows.map(({ budget_id: budgetId, starts_on: startsOn, unit }) => ({ budgetId, startsOn, unit })),
          };
        const unopened = rows.filter(({ amount }) => amount === null).map(({ budget_id }) => budget_id);
        if (unopened.length > 0 && tries < MOST_TRIES) {
          await db.prepared('open-budget-windows', OPEN, [unopened]);
          continue;
        }
        const full = rows.filter(isFull);
        const ids = full.filter(({ reserved }) => reserved > 0).map(({ budget_id }) => budget_id);
        if (!hasReturned && ids.length > 0) {
          hasReturned = true;
          if ((await returnExpired(ids)) > 0) continue;
        }
        await noteExhausted(full);
        return { refusal: toRefusal(full.find(({ need: known }) => known === null) ?? full[0] ?? first) };
      }
    },

    /**
     * Releases a reservation and counts what was actually spent. The usage is counted even when the reservation was already released
     * because the process seemed dead. Call this last in a transaction, because it locks the rows of the budgets until the transaction
     * ends.
     */
    async settle(tx: Tx, { id, parts }: Reservation, spent: { tokens: number; micros: number }): Promise<void> {
      const spend = parts.map(({ unit }) => (unit === 'tokens' ? spent.tokens : spent.micros));
      const rows = await tx.$queryRaw<(EventRow & { warned: boolean; exhausted: boolean })[]>`
        WITH limited AS MATERIALIZED (
          SELECT set_config('idle_in_transaction_session_timeout', ${String(MOST_HELD_MS)}, true)),
        own AS (
          SELECT o.* FROM limited, unnest(${parts.map(({ budgetId }) => budgetId)}::uuid[], ${parts.map(({ startsOn }) => startsOn)}::date[],
                               ${spend}::bigint[]) o (budget_id, starts_on, spend)),
        locked AS MATERIALIZED (
          SELECT w.budget_id, w.starts_on, o.spend, w.warned_at, w.exhausted_at
            FROM budget_windows w JOIN own o ON o.budget_id = w.budget_id AND o.starts_on = w.starts_on
           ORDER BY w.budget_id FOR UPDATE OF w),
        gone AS (
          DELETE FROM budget_reservations r USING locked l WHERE r.id = ${id}::uuid AND r.budget_id = l.budget_id
          RETURNING r.budget_id, r.amount),
        changed AS (
          UPDATE budget_windows w SET spent = w.spent + l.spend, reserved = w.reserved - coalesce(g.amount, 0),
                 warned_at = CASE WHEN w.spent + l.spend >= ${WARNED_AT}::numeric * w.amount THEN coalesce(w.warned_at, now()) END,
                 exhausted_at = CASE WHEN w.spent + l.spend >= w.amount THEN coalesce(w.exhausted_at, now()) ELSE w.exhausted_at END
            FROM locked l LEFT JOIN gone g ON g.budget_id = l.budget_id
           WHERE w.budget_id = l.budget_id AND w.starts_on = l.starts_on
          RETURNING w.budget_id, w.starts_on, w.amount, w.spent, l.spend > 0 AND l.warned_at IS NULL AND w.warned_at IS NOT NULL AS warned,
                    l.spend > 0 AND l.exhausted_at IS NULL AND w.exhausted_at IS NOT NULL AS exhausted)
        SELECT b.id AS budget_id, b.name, b.project, b.level, b.period, b.unit, c.starts_on::text AS starts_on, c.warned, c.exhausted,
               c.amount::float8 AS amount, c.spent::float8 AS spent
          FROM changed c JOIN budgets b ON b.id = c.budget_id WHERE c.warned OR c.exhausted ORDER BY b.id`;
      for (const row of rows) {
        if (row.warned) await report(tx, 'budget.warning', row);
        if (row.exhausted) await report(tx, 'budget.exhausted', row);
      }
    },

    /**
     * Releases the reservations of earlier attempts of a run. The processes of these attempts no longer execute the
     * run.
     */
    returnOf: (runId: string, attempt: number): Promise<number> =>
      db.transaction((tx) =>
        tx.$executeRaw(returnWhere(Prisma.sql`run_id = ${runId}::uuid AND attempt < ${attempt}::int`, MOST_RETURNED)),
      ),
  };
}
export type WindowStore = ReturnType<typeof createWindowStore>;

/**
 * Releases reservations whose processes died, as a step of a job. @returns the number of periods of budgets that have
 * more room
 */
export const returnExpired = (tx: Tx): Promise<number> =>
  tx.$executeRaw(returnWhere(Prisma.sql`lapses_at < now()`, MOST_RETURNED));
