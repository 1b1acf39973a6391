import { createHash } from 'node:crypto';
import { Prisma, type Database, type Tx } from '@millwright/db';
import { insertEvents } from './events.js';
import { cut, errorColumns, modelStepSql } from './model-step.js';
import { ERROR_LENGTH, RunLost, type Fence, type RunEvent } from './run.js';
import {
  NOT_CONNECTED,
  type KeptStep,
  type ModelStep,
  type RefusedStep,
  type ToolOutcome,
  type ToolStep,
} from './step.js';

/** Length limit of a stored result, in characters. */
const RESULT_LENGTH = 1_100_000;

const STEP = `seq, through_seq AS "throughSeq", attempt, kind, outcome, asked_by AS "askedBy", model, answer, calls, call_id AS "callId", tool, server,
  definition_hash AS "definitionHash", arguments, idempotency_key AS "idempotencyKey", result, untrusted, error_code AS "errorCode", coalesce(ended_at, started_at) AS at`;

const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

/**
 * SQL expression for the data of the event that reported the start of the run's wait. The data state what the run waits for. `run` is the
 * alias of the run's row.
 */
export const waitData = (run: string): string => `(
  SELECT began.data FROM run_events began
   WHERE began.run_id = ${run}.id AND began.type = 'run.waiting' ORDER BY began.seq DESC LIMIT 1)`;

/**
 * SQL condition that the run with the alias `run` waits for a person's statement about its step with the alias `step`. The event with which
 * the wait began names these steps. These steps do not include calls that the run makes again by itself when it continues, such as calls of
 * agents.
 */
export const awaitsOutcome = (run: string, step: string): string => `
  ${run}.state = 'waiting' AND ${run}.waiting_for = 'outcome' AND ${step}.outcome = 'unknown' AND ${step}.result IS NULL
  AND EXISTS (
    SELECT FROM json_array_elements(${waitData(run)} -> 'steps') asked
     WHERE (asked ->> 'step')::int = ${step}.seq)`;

/**
 * The only access to the steps of runs. Only the process that executes a run writes its steps; writes of an earlier
 * process throw `RunLost`.
 */
export function createStepStore(db: Database) {
  /** Adds a step to a running run, and changes the run's sums by the SQL assignments in `sums`. @returns the step's number */
  async function add(tx: Tx, fence: Fence, sums: Prisma.Sql, insert: Prisma.Sql, events: readonly RunEvent[]) {
    const { runId, attempt } = fence;
    const [row] = await tx.$queryRaw<{ seq: number }[]>`
      WITH changed AS (
        UPDATE runs SET step_count = step_count + 1, event_count = event_count + ${events.length}::int ${sums}
         WHERE id = ${runId}::uuid AND attempt = ${attempt}::int AND state = 'running'
        RETURNING id, attempt, step_count, event_count),
      step AS (${insert}),
      added AS (${insertEvents(events)})
      SELECT step_count AS seq FROM changed`;
    if (!row) throw new RunLost();
    return row.seq;
  }

  return {
    /**
     * Stores a finished call of the model, before its answer has any effect.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended
     */
    addModelStep(tx: Tx, fence: Fence, step: ModelStep, events: readonly RunEvent[] = []): Promise<number> {
      const { sums, insert } = modelStepSql(step);
      return add(tx, fence, sums, insert, events);
    },

    /**
     * Stores the start of a tool call, in the transaction that audits the call and before anything is sent.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended
     */
    startToolStep(tx: Tx, fence: Fence, step: ToolStep, events: readonly RunEvent[] = []): Promise<number> {
      const { askedBy, callId, tool, server, definitionHash, rule, arguments: args, idempotencyKey } = step;
      const insert = Prisma.sql`
        INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, asked_by, call_id, tool, server, definition_hash, rule, arguments,
                               arguments_hash, idempotency_key, started_at)
        SELECT c.id, c.step_count, c.attempt, 'tool', 'started', ${askedBy}::int, ${callId}, ${tool}, ${server},
               ${definitionHash ? new Uint8Array(definitionHash) : null}::bytea, ${rule ?? null}, ${args}, ${hashOf(args)}::bytea,
               ${idempotencyKey}, now()
          FROM changed c`;
      return add(tx, fence, Prisma.sql`, tool_call_count = tool_call_count + 1`, insert, events);
    },

    /**
     * Stores a call that was refused before anything was sent. The call is never made.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended
     */
    addRefusedStep(tx: Tx, fence: Fence, step: RefusedStep): Promise<number> {
      const { askedBy, callId, tool, server, definitionHash, rule, arguments: args, result, error } = step;
      const insert = Prisma.sql`
        INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, asked_by, call_id, tool, server, definition_hash, rule, arguments,
                               arguments_hash, result, untrusted, started_at, ended_at, error_code, error_status, error_text)
        SELECT c.id, c.step_count, c.attempt, 'tool', 'failed', ${askedBy}::int, ${callId}, ${tool}, ${server ?? null},
               ${definitionHash ? new Uint8Array(definitionHash) : null}::bytea, ${rule ?? null}, ${args}, ${hashOf(args)}::bytea,
               ${cut(result, RESULT_LENGTH)}, false, now(), now(), ${errorColumns(error)}
          FROM changed c`;
      return add(tx, fence, Prisma.sql`, tool_call_count = tool_call_count + 1`, insert, []);
    },

    /**
     * Starts the call of a step again with its idempotency key, because its outcome is unknown or because its user had not connected an
     * account.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended
     */
    async restartToolStep(tx: Tx, { runId, attempt }: Fence, seq: number): Promise<void> {
      const changed = await tx.$executeRaw`
        UPDATE run_steps s SET outcome = 'started', attempt = r.attempt, result = NULL, untrusted = NULL, ended_at = NULL,
               error_code = NULL, error_status = NULL, error_text = NULL
          FROM runs r
         WHERE s.run_id = ${runId}::uuid AND s.seq = ${seq}::int AND (s.outcome = 'unknown' OR s.error_code = ${NOT_CONNECTED})
           AND r.id = s.run_id AND r.attempt = ${attempt}::int AND r.state = 'running'`;
      if (changed === 0) throw new RunLost();
    },

    /**
     * Stores the outcome of a tool call.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended, or when the step has already ended
     */
    async endToolStep({ runId, attempt }: Fence, seq: number, ended: ToolOutcome): Promise<void> {
      const { outcome, result, untrusted, error } = ended;
      const rows = await db.prepared(
        'end-tool-step',
        `UPDATE run_steps s SET outcome = $4, result = $5, untrusted = $6, error_code = $7, error_status = $8, error_text = $9,
                ended_at = now()
           FROM runs r WHERE s.run_id = $1 AND s.seq = $3 AND (s.outcome IN ('started', 'unknown') OR s.error_code = '${NOT_CONNECTED}')
            AND r.id = s.run_id AND r.attempt = $2 AND r.state = 'running' RETURNING s.seq`,
        [
          ...[runId, attempt, seq, outcome, cut(result, RESULT_LENGTH), untrusted],
          ...[error?.code ?? null, error?.status ?? null, cut(error?.text, ERROR_LENGTH)],
        ],
      );
      if (rows.length === 0) throw new RunLost();
    },

    /**
     * Stores that the tool calls of a model's answer and the answers of the tools are in the context, up to the message `throughSeq`. Call
     * this in the transaction that adds these messages to the context.
     *
     * @throws RunLost when another process has taken over the run, or the run has ended
     */
    async storedThrough(tx: Tx, { runId, attempt }: Fence, seq: number, throughSeq: number): Promise<void> {
      const changed = await tx.$executeRaw`
        UPDATE run_steps s SET through_seq = ${throughSeq}::int
          FROM (SELECT id FROM runs WHERE id = ${runId}::uuid AND attempt = ${attempt}::int AND state = 'running' FOR UPDATE) r
         WHERE s.run_id = r.id AND s.seq = ${seq}::int`;
      if (changed === 0) throw new RunLost();
    },

    /** Marks the outcome of unfinished calls of earlier attempts as unknown. @returns the numbers of their steps */
    async markUnknown(tx: Tx, { runId, attempt }: Fence): Promise<number[]> {
      const rows = await tx.$queryRaw<{ seq: number }[]>`
        UPDATE run_steps s SET outcome = 'unknown' FROM runs r
         WHERE s.run_id = ${runId}::uuid AND s.outcome = 'started' AND s.attempt < ${attempt}::int
           AND r.id = s.run_id AND r.attempt = ${attempt}::int AND r.state = 'running' RETURNING s.seq`;
      return rows.map(({ seq }) => seq).sort((a, b) => a - b);
    },

    /**
     * Stores a person's statement about a call with an unknown outcome, while the run waits for that statement.
     *
     * @returns the number of remaining calls whose outcome the run waits for; undefined when the run does not wait for the outcome of this call
     */
    async decideUnknown(
      tx: Tx,
      runId: string,
      seq: number,
      { outcome, result }: Pick<ToolOutcome, 'outcome' | 'result'>,
    ): Promise<number | undefined> {
      const changed = await tx.$executeRaw`
        UPDATE run_steps s SET outcome = ${outcome}, result = ${cut(result, RESULT_LENGTH)}, untrusted = false, ended_at = now()
          FROM runs r WHERE r.id = ${runId}::uuid AND s.run_id = r.id AND s.seq = ${seq}::int AND ${Prisma.raw(awaitsOutcome('r', 's'))}`;
      if (changed === 0) return undefined;
      const [left] = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM runs r JOIN run_steps s ON s.run_id = r.id
         WHERE r.id = ${runId}::uuid AND ${Prisma.raw(awaitsOutcome('r', 's'))}`;
      return left?.count ?? 0;
    },

    /** Returns the steps of a run in order. */
    list: (runId: string): Promise<KeptStep[]> =>
      db.prepared<KeptStep>('list-kept-steps', `SELECT ${STEP} FROM run_steps WHERE run_id = $1 ORDER BY seq`, [runId]),
  };
}
export type StepStore = ReturnType<typeof createStepStore>;
