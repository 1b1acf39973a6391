import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { fromCounted, type RunBudget, type Unit } from '@millwright/budgets';
import { decodeId, encodeId, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { PAGE_BYTES } from '@millwright/records';
import { findAgent } from '../agents/find-agent.js';
import { listRuns, type RunFilters } from './list-runs.js';
import {
  RUN_COLUMNS,
  RUN_DETAIL_COLUMNS,
  STEP_COLUMNS,
  toRun,
  toRunDetail,
  toStep,
  type RunDetailRow,
  type RunRow,
  type StepRow,
} from './run-form.js';
import { isOfUnsaved, readerOf, readsAll } from '@millwright/runs';
import type { Feedback, Run, RunDetail, RunListQuery, RunStep, RunStepDetail, StepListQuery } from './runs.contract.js';

/** SQL for the total bytes of a step's long columns. */
const LONG = ['parameters::text', 'added::text', 'answer', 'calls::text', 'arguments', 'result']
  .map((column) => `coalesce(octet_length(r.${column}), 0)`)
  .join(' + ');
/** Limit of the returned messages. A model may have read more messages. */
const READ_MESSAGES = 200;

const viewOf = (caller: Caller) => ({ showsUpstream: readsAll(caller), userId: caller.actor.userId });

/** SQL for the part of a model call's input that is the same in all model calls of an attempt. The first call of the attempt stored it. */
const ofAttempt = (column: 'added' | 'read_seqs') => `CASE WHEN r.kind = 'model' THEN (
  SELECT a.${column} FROM run_steps a WHERE a.run_id = r.run_id AND a.attempt = r.attempt AND a.seq <= r.seq AND a.${column} IS NOT NULL
   ORDER BY a.seq DESC LIMIT 1) END`;

/**
 * SQL for the position of the last message that a model call read from its own run: the last message of the run's earlier steps, or the
 * user's message.
 */
const READ_SEQ = `CASE WHEN r.kind = 'model' THEN coalesce(
  (SELECT max(e.through_seq) FROM run_steps e WHERE e.run_id = r.run_id AND e.seq < r.seq),
  (SELECT m.seq FROM runs u JOIN context_messages m ON m.id = u.message_id WHERE u.id = r.run_id)) END`;

/** SQL for the messages of the context `$1` up to the position `$2`. */
const MESSAGES_THROUGH = `
  SELECT role, content, tool_calls, seq AS place FROM context_messages
   WHERE context_id = $1 AND seq <= $2 AND (replaced_by IS NULL OR replaced_by > $2)`;

/**
 * SQL for the messages that a model call read: those at the positions `$3` of the context `$1`, then the message `$4` and the turns that
 * answer it, up to the position `$2`.
 */
const MESSAGES_READ = `
  SELECT role, content, tool_calls, ARRAY[0, array_position($3::int[], seq)] AS place FROM context_messages
   WHERE context_id = $1 AND seq = ANY($3::int[]) AND answers_to IS DISTINCT FROM $4::uuid
   UNION ALL
  SELECT m.role, m.content, m.tool_calls, ARRAY[1, m.seq] FROM context_messages asked
    JOIN context_messages m
      ON m.context_id = $1 AND m.seq BETWEEN asked.seq AND greatest($2, (SELECT max(place) FROM unnest($3::int[]) place))
     AND (m.id = asked.id OR m.answers_to = asked.id AND (m.seq <= $2 OR m.seq = ANY($3::int[])))
   WHERE asked.id = $4`;

/** SQL for the last messages that the query `messages` returns, up to the limits of number and size of a response. */
const lastOf = (messages: string) => `
  SELECT role, content, calls FROM (
    SELECT role, content, tool_calls AS calls, place,
           sum(octet_length(content) + coalesce(octet_length(tool_calls::text), 0)) OVER (ORDER BY place DESC) AS bytes
      FROM (SELECT * FROM (${messages}) all_messages ORDER BY place DESC LIMIT ${READ_MESSAGES}) m
  ) sized WHERE bytes <= ${PAGE_BYTES} ORDER BY place`;

/**
 * SQL for the steps of a run after `$2`, in order; only those with the outcome `$4` unless it is null. Each row contains the total bytes of
 * all steps before it.
 */
const SIZED = `SELECT ${STEP_COLUMNS}, sum(${LONG}) OVER (ORDER BY r.seq ROWS UNBOUNDED PRECEDING) - (${LONG}) AS bytes_before
  FROM (SELECT * FROM run_steps WHERE run_id = $1 AND seq > $2 AND ($4::text IS NULL OR outcome = $4) ORDER BY seq LIMIT $3) r`;

/** Reads runs for callers. A caller may read own runs, and with `runs:read_all` all runs of the project. Every other run is `not_found`. */
export function createRunQueries(db: Database) {
  /** Reads a run. @throws AppError not_found for a run that does not exist or that the caller may not read */
  async function requireRun(caller: Caller, runId: string): Promise<{ uuid: string; row: RunDetailRow }> {
    const uuid = decodeId('run', runId);
    if (uuid === undefined) throw new AppError('not_found');
    const { project, userId } = readerOf(caller);
    const [row] = await db.prepared<RunDetailRow>(
      'find-run',
      `SELECT ${RUN_DETAIL_COLUMNS} FROM runs r WHERE r.id = $1 AND r.project = $2 AND ($3::uuid IS NULL OR r.user_id = $3::uuid)`,
      [uuid, project, userId],
    );
    if (!row) throw new AppError('not_found');
    return { uuid, row };
  }

  /** Finds the subject that a list query names. A deleted agent is found by its name. */
  async function subjectOf(caller: Caller, { agent, prompt }: RunListQuery): Promise<Omit<RunFilters, 'user'>> {
    const none = { subject: undefined, subjectName: undefined, kind: undefined };
    if (agent === undefined) return prompt === undefined ? none : { ...none, subject: prompt, kind: 'prompt' };
    const subject = decodeId('ag', agent) ?? (await findAgent(db, caller.project, agent))?.id;
    return { subject, subjectName: subject === undefined ? agent : undefined, kind: 'agent' };
  }

  /**
   * Returns the last messages that a model call read, in the order in which they were sent to the model. `through`: the position of the
   * last message that the run itself wrote.
   */
  async function messagesOf({ context_id, message_id }: RunDetailRow, through: number, read: readonly number[] | null) {
    type Message = RunStepDetail['messages'][number];
    // Runs of earlier releases did not store which messages they read.
    if (read === null)
      return db.prepared<Message>('list-messages-through', lastOf(MESSAGES_THROUGH), [context_id, through]);
    return db.prepared<Message>('list-read-messages', lastOf(MESSAGES_READ), [context_id, through, read, message_id]);
  }

  /** Reads the current amount of the budget with which the run or its ancestor was started. */
  async function budgetOf(uuid: string): Promise<RunBudget | undefined> {
    const [row] = await db.prepared<{ unit: Unit; amount: number }>(
      'find-budget-of-run',
      `SELECT b.unit, b.amount::float8 AS amount FROM runs r JOIN budgets b ON b.id = r.budget_id WHERE r.id = $1`,
      [uuid],
    );
    return row && { unit: row.unit, amount: fromCounted(row.unit, row.amount) };
  }

  return {
    /** Lists the runs that the caller may read, latest first. @throws AppError validation_error for an invalid cursor */
    async list(caller: Caller, query: RunListQuery): Promise<{ items: Run[]; next_cursor: string | null }> {
      const user = query.user === undefined ? undefined : decodeId('usr', query.user);
      if (query.user !== undefined && user === undefined) throw invalidField('user', "is not a user's id");
      const filters = { ...(await subjectOf(caller, query)), user };
      const reader = readerOf(caller);
      // A caller who may read only own runs gets no runs when the filter names another user.
      if (reader.userId !== undefined && user !== undefined && user !== reader.userId)
        return { items: [], next_cursor: null };
      const { rows, next } = await listRuns(db.reads, query, filters, reader);
      const view = viewOf(caller);
      return {
        items: rows.map((row) => toRun(row, view)),
        next_cursor: next === undefined ? null : encodeId('run', next),
      };
    },

    /** Returns a run. @throws AppError not_found for a run that does not exist or that the caller may not read */
    async find(caller: Caller, runId: string): Promise<RunDetail> {
      const { row } = await requireRun(caller, runId);
      return toRunDetail(row, viewOf(caller));
    },

    /** Returns the row id of a run. @throws AppError not_found for a run that does not exist or that the caller may not read */
    requireVisible: async (caller: Caller, runId: string): Promise<string> => (await requireRun(caller, runId)).uuid,

    /** Reads a run in the transaction that stores the run or its answer. @throws AppError not_found when the project has no such run */
    async read(tx: Tx, caller: Caller, uuid: string): Promise<Run> {
      const [row] = await tx.$queryRaw<RunRow[]>`
        SELECT ${Prisma.raw(RUN_COLUMNS)} FROM runs r WHERE r.id = ${uuid}::uuid AND r.project = ${caller.project}`;
      if (!row) throw new AppError('not_found');
      return toRun(row, viewOf(caller));
    },

    /**
     * Finds the request that started one of the caller's runs. The run must have failed or been canceled.
     * @throws AppError not_found for a run that the caller may not read; forbidden for another user's run; conflict for a run that cannot
     * be repeated
     */
    async findRetried(caller: Caller, runId: string) {
      const { uuid, row } = await requireRun(caller, runId);
      const refused = (reason: string) => new AppError('conflict', { fields: [{ field: 'run', reason }] });
      if (row.user_id !== caller.actor.userId) throw new AppError('forbidden');
      if (row.state !== 'failed' && row.state !== 'canceled') throw refused('has neither failed nor been canceled');
      if (row.subject_kind !== 'agent' || row.input === null || row.context_id === null)
        throw refused('is not of a message to an agent');
      if (isOfUnsaved(row.channel, row.subject_version))
        throw refused('is of an agent that is not saved: send the request again');
      const contextId = encodeId('ctx', row.context_id);
      const { subject_name: agent, subject_version: version, input: content } = row;
      const images = (row.images ?? []).map(({ id }) => ({ keptId: id }));
      const source = row.input_source ?? undefined;
      const budget = await budgetOf(uuid);
      return { uuid, agent, version, content, images, contextId, source, budget, metadata: row.metadata as object };
    },

    /** Lists the steps in order. @throws AppError validation_error for an invalid cursor; not_found for a run that the caller may not read */
    async steps(
      caller: Caller,
      runId: string,
      { limit, cursor = '0', outcome }: StepListQuery,
    ): Promise<{ items: RunStep[]; next_cursor: string | null }> {
      if (!/^\d{1,9}$/.test(cursor)) throw invalidField('cursor', 'is not a cursor of this list');
      const { uuid, row } = await requireRun(caller, runId);
      const rows = await db.prepared<StepRow>(
        'list-run-steps',
        `SELECT * FROM (${SIZED}) sized WHERE bytes_before < ${PAGE_BYTES} ORDER BY seq`,
        [uuid, Number(cursor), limit, outcome],
      );
      const view = viewOf(caller);
      const last = rows.at(-1)?.seq;
      return {
        items: rows.map((step) => toStep(step, view)),
        next_cursor: last === undefined || last >= row.step_count ? null : String(last),
      };
    },

    /** Returns a step with the messages that its model read. @throws AppError not_found for an unknown run or step */
    async step(caller: Caller, runId: string, seq: string): Promise<RunStepDetail> {
      const { uuid, row } = await requireRun(caller, runId);
      const [step] = await db.prepared<StepRow & { added: unknown; through: number | null; read: number[] | null }>(
        'find-run-step',
        `SELECT ${STEP_COLUMNS}, ${ofAttempt('added')} AS added, ${ofAttempt('read_seqs')} AS read, ${READ_SEQ} AS through
           FROM run_steps r WHERE r.run_id = $1 AND r.seq = $2`,
        [uuid, /^\d{1,9}$/.test(seq) ? Number(seq) : 0],
      );
      if (!step) throw new AppError('not_found');
      const { added, through, read, ...shown } = step;
      const messages = row.context_id === null || through === null ? [] : await messagesOf(row, through, read);
      return { ...toStep(shown, viewOf(caller)), messages, added };
    },

    /** Rates a run of the caller. @throws AppError not_found; forbidden for another user's run */
    async rate(tx: Tx, caller: Caller, runId: string, { rating, comment }: Feedback): Promise<Feedback> {
      const uuid = decodeId('run', runId);
      const { project, userId } = readerOf(caller);
      const rows =
        uuid === undefined
          ? []
          : await tx.$queryRaw<{ user_id: string }[]>`
              SELECT user_id FROM runs WHERE id = ${uuid}::uuid AND project = ${project}
                 AND (${userId ?? null}::uuid IS NULL OR user_id = ${userId ?? null}::uuid) FOR UPDATE`;
      const [row] = rows;
      if (!row) throw new AppError('not_found');
      if (row.user_id !== caller.actor.userId) throw new AppError('forbidden');
      const kept = rating === null ? null : comment;
      await tx.$executeRaw`UPDATE runs SET feedback = ${rating}, feedback_comment = ${kept} WHERE id = ${uuid}::uuid`;
      await recordDecision(tx, { ...caller, action: 'run.feedback', resource: runId, detail: { rating } });
      return { rating, comment: kept };
    },
  };
}
export type RunQueries = ReturnType<typeof createRunQueries>;

/** Whether the caller started this run of the agent as a tool of the built-in MCP server. */
export async function findOwnRun(
  db: Database,
  { project, actor }: Caller,
  slug: string,
  runId: string,
): Promise<boolean> {
  const rows = await db.prepared(
    'find-own-mcp-run',
    `SELECT 1 FROM runs WHERE id = $1 AND project = $2 AND user_id = $3 AND channel = 'mcp' AND subject_name = $4`,
    [runId, project, actor.userId, slug],
  );
  return rows.length > 0;
}
