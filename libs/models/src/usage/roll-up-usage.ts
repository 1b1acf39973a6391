import { ADVISORY_LOCKS, type Tx } from '@millwright/db';

/** Runs `work` in a separate transaction. */
type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const DAY_MS = 86_400_000;

/**
 * Adds up the usage of every whole day in UTC before `now` into `usage_days` and `usage_subject_days`, oldest first, from the last
 * day that is stored: that day is added up again, to include late events. A day is replaced as a whole, so a repetition changes nothing.
 */
export async function rollUpUsage(step: Step, now: Date): Promise<{ days: number; rows: number }> {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const first = await step(firstDay);
  let [days, rows] = [0, 0];
  for (let day = first; day !== null && day < today; day = new Date(day.getTime() + DAY_MS)) {
    const current = day;
    rows += await step((tx) => addUpDay(tx, current));
    days += 1;
  }
  return { days, rows };
}

async function firstDay(tx: Tx): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ day: Date | null }[]>`
    SELECT coalesce((SELECT max(day) FROM usage_days), (SELECT min(at) AT TIME ZONE 'UTC' FROM usage_events)::date) AS day`;
  return row?.day ?? null;
}

async function addUpDay(tx: Tx, start: Date): Promise<number> {
  const [day, end] = [start.toISOString().slice(0, 10), new Date(start.getTime() + DAY_MS)];
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.usageRollUp})`;
  await tx.$executeRaw`DELETE FROM usage_days WHERE day = ${day}::date`;
  await tx.$executeRaw`DELETE FROM usage_subject_days WHERE day = ${day}::date`;
  await tx.$executeRaw`
    INSERT INTO usage_subject_days (project, day, kind, subject_id, events, prompt_tokens, completion_tokens, cost_usd)
    SELECT project, ${day}::date, kind, subject_id, count(*), sum(prompt_tokens::bigint), sum(completion_tokens::bigint),
           CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd) END
      FROM usage_events WHERE project IN ('Core', 'Commerce') AND at >= ${start} AND at < ${end}
     GROUP BY project, kind, subject_id`;
  return tx.$executeRaw`
    INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens, cost_usd, known_cost_usd, unpriced_events)
    SELECT project, ${day}::date, user_id, kind, model, count(*), sum(prompt_tokens::bigint), sum(completion_tokens::bigint),
           CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd) END, sum(cost_usd), count(*) FILTER (WHERE cost_usd IS NULL)
      FROM usage_events WHERE project IN ('Core', 'Commerce') AND at >= ${start} AND at < ${end}
     GROUP BY project, user_id, kind, model`;
}

/**
 * Usage by day, as a table to select from: days that were added up, and events of the days since. `cost_usd` is null where a price is not
 * known, `known_cost_usd` leaves out the `unpriced_events`. `$1` and `$2` are the first day
 * and the day after the last one.
 */
export const USAGE_BY_DAY = `(
  SELECT project, day, user_id, kind, model, events::bigint, prompt_tokens, completion_tokens, cost_usd,
         coalesce(known_cost_usd, cost_usd) AS known_cost_usd,
         coalesce(unpriced_events, CASE WHEN cost_usd IS NULL THEN events ELSE 0 END) AS unpriced_events
    FROM usage_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT project, (at AT TIME ZONE 'UTC')::date, user_id, kind, model, 1, prompt_tokens, completion_tokens, cost_usd,
         cost_usd, (cost_usd IS NULL)::int
    FROM usage_events WHERE project IN ('Core', 'Commerce') AND at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') usage`;

/** Usage by agent or prompt: `project, day, kind, subject_id` and the sums. */
export const USAGE_BY_SUBJECT = `(
  SELECT project, day, kind, subject_id, events::bigint, prompt_tokens, completion_tokens, cost_usd
    FROM usage_subject_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT project, (at AT TIME ZONE 'UTC')::date, kind, subject_id, 1, prompt_tokens, completion_tokens, cost_usd
    FROM usage_events WHERE project IN ('Core', 'Commerce') AND at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') usage`;
