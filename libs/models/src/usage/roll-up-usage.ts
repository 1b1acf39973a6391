import { ADVISORY_LOCKS, inParts, type Step, type Tx } from '@millwright/db';
import { createDaySums, type Part } from './day-sums.js';

const DAY_MS = 86_400_000;
/** Length of a part of a day. One statement adds up one part; a part that takes too long is divided. */
const PART_MS = 3_600_000;

/**
 * Adds up the usage of every whole UTC day before `now` by user and model, by agent or prompt, and by API key, and its
 * calls of tools, the oldest day first. Starts with the last stored day, which is added up again to include late
 * events. A day is read in parts, so that it may have any number of events. The sums of a day are replaced as a whole,
 * so that a repetition changes nothing.
 *
 * @param from the first day to add up. It is needed when events were stored later for days that had already been added up
 */
export async function rollUpUsage(step: Step, now: Date, from?: Date): Promise<{ days: number; rows: number }> {
  const today = startOfDay(now);
  const first = from ? startOfDay(from) : await step(firstDay);
  let [days, rows] = [0, 0];
  for (let day = first; day !== null && day < today; day = new Date(day.getTime() + DAY_MS)) {
    rows += await addUpDay(step, day);
    days += 1;
  }
  return { days, rows };
}

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

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
  const { users, subjects, keys } = sums.rows();
  const tools = await toolCallsOf(step, start, end);
  return step(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.usageRollUp})`;
    await tx.$executeRaw`DELETE FROM usage_days WHERE day = ${day}::date`;
    await tx.$executeRaw`DELETE FROM usage_subject_days WHERE day = ${day}::date`;
    await tx.$executeRaw`DELETE FROM usage_key_days WHERE day = ${day}::date`;
    await tx.$executeRaw`
      INSERT INTO usage_subject_days (project, day, kind, subject_id, events, prompt_tokens, completion_tokens, cost_usd)
      SELECT project, ${day}::date, kind, subject_id, events, prompt_tokens, completion_tokens, CASE WHEN unpriced = 0 THEN cost / 1e9 END
        FROM json_to_recordset(${JSON.stringify(subjects)}::json) AS s
             (project text, kind text, subject_id uuid, events int, prompt_tokens bigint, completion_tokens bigint, cost numeric, unpriced bigint)`;
    await tx.$executeRaw`
      INSERT INTO usage_key_days (project, day, key_id, events, prompt_tokens, completion_tokens, cost_usd, known_cost_usd)
      SELECT project, ${day}::date, key_id, events, prompt_tokens, completion_tokens, CASE WHEN unpriced = 0 THEN cost / 1e9 END,
             CASE WHEN unpriced < events THEN cost / 1e9 END
        FROM json_to_recordset(${JSON.stringify(keys)}::json) AS s
             (project text, key_id uuid, events int, prompt_tokens bigint, completion_tokens bigint, cost numeric, unpriced bigint)`;
    // Runs may have been deleted since the day was first added up, so the larger of the old and the new sum is kept.
    await tx.$executeRaw`
      INSERT INTO usage_tool_days (project, day, server, tool, calls, failed)
      SELECT project, ${day}::date, server, tool, calls, failed
        FROM json_to_recordset(${JSON.stringify(tools)}::json) AS s (project text, server text, tool text, calls int, failed int)
      ON CONFLICT (day, project, server, tool) DO UPDATE
        SET calls = greatest(usage_tool_days.calls, excluded.calls), failed = greatest(usage_tool_days.failed, excluded.failed)`;
    return tx.$executeRaw`
      INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens, cost_usd, known_cost_usd, unpriced_events)
      SELECT project, ${day}::date, user_id, kind, model, events, prompt_tokens, completion_tokens, CASE WHEN unpriced = 0 THEN cost / 1e9 END,
             CASE WHEN unpriced < events THEN cost / 1e9 END, unpriced
        FROM json_to_recordset(${JSON.stringify(users)}::json) AS s
             (project text, user_id uuid, kind text, model text, events int, prompt_tokens bigint, completion_tokens bigint, cost numeric, unpriced bigint)`;
  });
}

/**
 * Sums of a part of a day, as texts, because they may exceed what a number of JavaScript can represent. Costs are in
 * billionths of a dollar.
 */
const readPart = (tx: Tx, from: Date, to: Date) =>
  tx.$queryRaw<Part[]>`
    SELECT project, user_id, kind, model, subject_id, key_id, count(*)::text AS events, sum(prompt_tokens::bigint)::text AS prompt_tokens,
           sum(completion_tokens::bigint)::text AS completion_tokens, trunc(coalesce(sum(cost_usd), 0) * 1e9)::text AS cost,
           count(*) FILTER (WHERE cost_usd IS NULL)::text AS unpriced
      FROM usage_events WHERE project = ANY (ARRAY(SELECT id FROM projects)) AND at >= ${from} AND at < ${to}
     GROUP BY project, user_id, kind, model, subject_id, key_id`;

interface ToolCalls {
  project: string;
  server: string;
  tool: string;
  calls: number;
  failed: number;
}

/** The calls of each tool in a day, read in parts. */
async function toolCallsOf(step: Step, start: Date, end: Date): Promise<ToolCalls[]> {
  const sums = new Map<string, ToolCalls>();
  await inParts({ from: start, to: end, part: PART_MS }, async (from, to) => {
    const part = await step(
      (tx) => tx.$queryRaw<ToolCalls[]>`
        SELECT r.project, s.server, s.tool, count(*)::int AS calls, (count(*) FILTER (WHERE s.outcome = 'failed'))::int AS failed
          FROM run_steps s JOIN runs r ON r.id = s.run_id
         WHERE r.project = ANY (ARRAY(SELECT id FROM projects)) AND s.kind = 'tool' AND s.server IS NOT NULL AND s.started_at >= ${from} AND s.started_at < ${to}
         GROUP BY 1, 2, 3`,
    );
    for (const { calls, failed, ...tool } of part) {
      const key = JSON.stringify(tool);
      const known = sums.get(key);
      sums.set(key, { ...tool, calls: calls + (known?.calls ?? 0), failed: failed + (known?.failed ?? 0) });
    }
  });
  return [...sums.values()];
}

/**
 * SQL: usage by day as a table, from the stored days and the events of the days after them. `cost_usd` is null when a
 * price is unknown; `known_cost_usd` is the cost without the `unpriced_events`. `$1` is the first day, and `$2` is the
 * day after the last day.
 */
export const USAGE_BY_DAY = `(
  SELECT project, day, user_id, kind, model, events::bigint, prompt_tokens, completion_tokens, cost_usd,
         coalesce(known_cost_usd, cost_usd) AS known_cost_usd,
         coalesce(unpriced_events, CASE WHEN cost_usd IS NULL THEN events ELSE 0 END) AS unpriced_events
    FROM usage_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT project, (at AT TIME ZONE 'UTC')::date, user_id, kind, model, 1, prompt_tokens, completion_tokens, cost_usd,
         cost_usd, (cost_usd IS NULL)::int
    FROM usage_events WHERE project = ANY (ARRAY(SELECT id FROM projects)) AND at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') usage`;

/** Usage by agent or prompt: `project, day, kind, subject_id` and the sums. */
export const USAGE_BY_SUBJECT = `(
  SELECT project, day, kind, subject_id, events::bigint, prompt_tokens, completion_tokens, cost_usd
    FROM usage_subject_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT project, (at AT TIME ZONE 'UTC')::date, kind, subject_id, 1, prompt_tokens, completion_tokens, cost_usd
    FROM usage_events WHERE project = ANY (ARRAY(SELECT id FROM projects)) AND at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') usage`;

/** Usage by API key: `project, day, key_id` and the sums. Usage that was not started with a key is left out. */
export const USAGE_BY_KEY = `(
  SELECT project, day, key_id, events::bigint, prompt_tokens, completion_tokens, cost_usd, known_cost_usd
    FROM usage_key_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT project, (at AT TIME ZONE 'UTC')::date, key_id, 1, prompt_tokens, completion_tokens, cost_usd, cost_usd
    FROM usage_events WHERE project = ANY (ARRAY(SELECT id FROM projects)) AND key_id IS NOT NULL AND at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') usage`;

/**
 * Calls of tools by runs: `project, day, server, tool, calls, failed`. Calls of tools that do not exist are left out.
 */
export const CALLS_BY_TOOL = `(
  SELECT project, day, server, tool, calls::bigint, failed::bigint
    FROM usage_tool_days WHERE day >= $1::date AND day < $2::date
  UNION ALL
  SELECT r.project, (s.started_at AT TIME ZONE 'UTC')::date, s.server, s.tool, 1, (s.outcome = 'failed')::int
    FROM run_steps s JOIN runs r ON r.id = s.run_id
   WHERE s.kind = 'tool' AND s.server IS NOT NULL AND s.started_at < ($2::date)::timestamp AT TIME ZONE 'UTC'
     AND s.started_at >= greatest($1::date, (SELECT max(day) + 1 FROM usage_days))::timestamp AT TIME ZONE 'UTC') called`;
