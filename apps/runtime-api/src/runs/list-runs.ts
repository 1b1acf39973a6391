import { decodeId, type Database } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { PERSON_WAITS, type RunReader } from '@millwright/runs';
import { RUN_COLUMNS, type RunRow } from './run-form.js';
import type { RunListQuery } from './runs.contract.js';

/** Limit of the runs that one request scans. When a page reaches the limit, it ends early, with a cursor for the next page. */
export const MOST_SCANNED = 5_000;

/** Filters of a list, with row ids of users and subjects. */
export interface RunFilters {
  user: string | undefined;
  subject: string | undefined;
  /** Name of the deleted agent or prompt of the run. */
  subjectName: string | undefined;
  kind: 'agent' | 'prompt' | undefined;
}

/** A set of runs that is scanned from the latest run. Each of these sets has an index that is ordered by id. */
interface Source {
  name: string;
  /** SQL condition with the placeholder `$1`. */
  condition: string;
  value: string;
}

/**
 * SQL condition for runs that wait for a person. It must equal the condition of the partial index of these runs, so that PostgreSQL can use
 * the index.
 */
const WAITS_FOR_PERSON = ` AND r.state = 'waiting' AND r.waiting_for IN (${PERSON_WAITS.map((reason) => `'${reason}'`).join(', ')})`;

const reasonsIn = ({ waiting_for }: RunListQuery) => waiting_for?.split(',');

function sourceOf(project: string, query: RunListQuery, { user, subject }: RunFilters): Source {
  const { state, conversation_id: conversation } = query;
  const reasons = reasonsIn(query);
  const inProject = (name: string, and = '') => ({ name, condition: `r.project = $1${and}`, value: project });
  if (conversation !== undefined)
    return { name: 'conversation', condition: 'r.conversation_id = $1::uuid', value: conversation };
  if (reasons?.every((reason) => PERSON_WAITS.some((one) => one === reason)))
    return inProject('person', WAITS_FOR_PERSON);
  if (reasons) return inProject('waiting', ` AND r.state = 'waiting'`);
  if (state === 'queued' || state === 'running' || state === 'waiting')
    return inProject(state, ` AND r.state = '${state}'`);
  if (user !== undefined) return { name: 'user', condition: 'r.user_id = $1::uuid', value: user };
  if (subject !== undefined) return { name: 'subject', condition: 'r.subject_id = $1::uuid', value: subject };
  return state === 'failed' ? inProject('failed', ` AND r.state = 'failed'`) : inProject('project');
}

/** Upper limit of the clock difference between a process and the database. */
const CLOCK_SKEW_MS = 60_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the first UUIDv7 of a time (RFC 9562 §5.7), for conditions on run ids, which begin with the time at which the run started. */
function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(0, time), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** @throws AppError validation_error for a cursor that is not a run's id. */
function idRange({ cursor, since, until }: RunListQuery): { from: string; before: string } {
  const after = cursor === undefined ? LAST_ID : decodeId('run', cursor);
  if (after === undefined) throw invalidField('cursor', 'is not a cursor of this list');
  const end = until === undefined ? LAST_ID : firstIdAt(Date.parse(until) + CLOCK_SKEW_MS);
  return {
    from: since === undefined ? FIRST_ID : firstIdAt(Date.parse(since) - CLOCK_SKEW_MS),
    before: after < end ? after : end,
  };
}

/**
 * SQL that is true when at least one step of the run meets the condition. It does not use EXISTS, because the query planner could then
 * choose to read the steps of all runs.
 */
const anyStep = (condition: string) =>
  `coalesce((SELECT true FROM run_steps s WHERE s.run_id = r.id AND ${condition} LIMIT 1), false)`;

/**
 * SQL for the filters of a list. Each filter is a parameter that may be null, so that each set of runs needs only one statement and one
 * query plan.
 */
const FILTERED = `r.project = $4 AND ($5::uuid IS NULL OR r.user_id = $5::uuid)
  AND ($6::uuid IS NULL OR r.subject_id = $6::uuid)
  AND ($7::text IS NULL OR r.subject_name = $7) AND ($8::text IS NULL OR r.subject_kind = $8)
  AND ($9::text IS NULL OR r.state = $9) AND ($10::text IS NULL OR r.channel = $10)
  AND ($11::text IS NULL OR r.model = $11)
  AND ($12::text IS NULL OR (r.tool_call_count > 0 AND ${anyStep("s.kind = 'tool' AND s.tool = $12")}))
  AND ($13::timestamptz IS NULL OR r.queued_at >= $13) AND ($14::timestamptz IS NULL OR r.queued_at < $14)
  AND ($15::numeric IS NULL OR r.cost_usd >= $15)
  AND ($16::float8 IS NULL OR extract(epoch FROM coalesce(r.ended_at, now()) - r.started_at) >= $16)
  AND ($17::boolean IS NULL OR $17 = (r.error_code IS NOT NULL OR ${anyStep("s.outcome IN ('failed', 'unknown')")}))
  AND ($18::text[] IS NULL OR r.waiting_for = ANY($18))`;

/**
 * Returns one page of runs, latest first, and scans at most {@link MOST_SCANNED} runs for it. `next` is the id before which the next page
 * starts.
 * @throws AppError validation_error for a cursor that is not a run's id.
 */
export async function listRuns(
  db: Pick<Database, 'prepared'>,
  query: RunListQuery,
  filters: RunFilters,
  { project, userId }: RunReader,
): Promise<{ rows: RunRow[]; next: string | undefined }> {
  const user = userId ?? filters.user;
  const { name, condition, value } = sourceOf(project, query, { ...filters, user });
  const { from, before } = idRange(query);
  const found = `FROM runs r WHERE ${condition} AND r.id < $2::uuid AND r.id >= $3::uuid ORDER BY r.id DESC`;
  const scanned = [value, before, from];
  const rows = await db.prepared<RunRow>(
    `list-runs-${name}`,
    `SELECT ${RUN_COLUMNS} FROM (SELECT r.* ${found} LIMIT ${MOST_SCANNED}) r WHERE ${FILTERED} ORDER BY r.id DESC LIMIT $19`,
    [
      ...[...scanned, project, user, filters.subject, filters.subjectName, filters.kind, query.state, query.channel],
      ...[query.model, query.tool, query.since, query.until, query.min_cost, query.min_duration, query.has_error],
      ...[reasonsIn(query), query.limit + 1],
    ],
  );
  if (rows.length > query.limit) {
    const page = rows.slice(0, query.limit);
    return { rows: page, next: page.at(-1)?.id };
  }
  const [last] = await db.prepared<{ id: string }>(
    `last-scanned-run-${name}`,
    `SELECT r.id ${found} OFFSET ${MOST_SCANNED - 1} LIMIT 1`,
    scanned,
  );
  return { rows, next: last?.id };
}
