import { ADVISORY_LOCKS, inParts, type Step, type Tx } from '@millwright/db';
import { createDaySums, type Part } from './day-sums.js';

const DAY_MS = 86_400_000;
/** First length of the part of a day that one statement adds up; a part that takes too long is divided. */
const PART_MS = 3_600_000;

/**
 * Adds up the usage of every whole UTC day before `now` into `usage_days` and `usage_subject_days`, the oldest day first. Starts with the
 * last stored day, which is added up again to include late events. A day is read in parts, so that it may have any number of events. It is
 * replaced as a whole, so that a repetition changes nothing.
 */
export async function rollUpUsage(step: Step, now: Date): Promise<{ days: number; rows: number }> {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const first = await step(firstDay);
  let [days, rows] = [0, 0];
  for (let day = first; day !== null && day < today; day = new Date(day.getTime() + DAY_MS)) {
    rows += await addUpDay(step, day);
    days += 1;
  }
  return { days, rows };
}

async function firstDay(tx: Tx): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ day: Date | null }[]>`
    SELECT coalesce((SELECT max(day) FROM usage_days), (SELECT min(at) AT TIME ZONE 'UTC' FROM usage_events)::date) AS day`;
  return row?.day ?? null;
}

async function addUpDay(step: Step, start: Date): Promise<number> {
  const sums = createDaySums();
  const end = new Date(start.getTime() + DAY_MS);
  await inParts({ from: start, to: end, part: PART_MS }, async (from, to) => {
    sums.add(await step((tx) => readPart(tx, from, to)));
  });
  const day = start.toISOString().slice(0, 10);
  const { users, subjects } = sums.rows();
  return step(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.usageRollUp})`;
    await tx.$executeRaw`DELETE FROM usage_days WHERE day = ${day}::date`;
    await tx.$executeRaw`DELETE FROM usage_subject_days WHERE day = ${day}::date`;
    await tx.$executeRaw`
      INSERT INTO usage_subject_days (project, day, kind, subject_id, events, prompt_tokens, completion_tokens, cost_usd)
      SELECT project, ${day}::date, kind, subject_id, events, prompt_tokens, completion_tokens, CASE WHEN unpriced = 0 THEN cost / 1e9 END
        FROM json_to_recordset(${JSON.stringify(subjects)}::json) AS s
             (project text, kind text, subject_id uuid, events int, prompt_tokens bigint, completion_tokens bigint, cost numeric, unpriced bigint)`;
    return tx.$executeRaw`
      INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens, cost_usd, known_cost_usd, unpriced_events)
      SELECT project, ${day}::date, user_id, kind, model, events, prompt_tokens, completion_tokens, CASE WHEN unpriced = 0 THEN cost / 1e9 END,
             CASE WHEN unpriced < events THEN cost / 1e9 END, unpriced
        FROM json_to_recordset(${JSON.stringify(users)}::json) AS s
             (project text, user_id uuid, kind text, model text, events int, prompt_tokens bigint, completion_tokens bigint, cost numeric, unpriced bigint)`;
  });
}

/** Sums of a part of a day, as texts: they may exceed what a number of JavaScript holds. Costs in billionths of a dollar. */
const readPart = (tx: Tx, from: Date, to: Date) =>
  tx.$queryRaw<Part[]>`
    SELECT project, user_id, kind, model, subject_id, count(*)::text AS events, sum(prompt_tokens::bigint)::text AS prompt_tokens,
           sum(completion_tokens::bigint)::text AS completion_tokens, trunc(coalesce(sum(cost_usd), 0) * 1e9)::text AS cost,
           count(*) FILTER (WHERE cost_usd IS NULL)::text AS unpriced
      FROM usage_events WHERE project IN ('Core', 'Commerce') AND at >= ${from} AND at < ${to}
     GROUP BY project, user_id, kind, model, subject_id`;

/**
 * SQL: usage by day as a table, from the stored days and the events of the days after them. `cost_usd` is null when a price is unknown;
 * `known_cost_usd` is the cost without the `unpriced_events`. `$1` is the first day, `$2` the day after the last one.
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
