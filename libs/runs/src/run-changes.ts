import { Prisma, storableText, type Tx } from '@millwright/db';
import { hasReceivers, recordEvent } from '@millwright/events';
import { insertEvents, stateEvent } from './events.js';
import { modelStepSql } from './model-step.js';
import { recordPush } from './push-notifications.js';
import { hasEnded, statesBefore, type CancelReason, type RunState, type WaitReason } from './run-state.js';
import { ERROR_LENGTH, type Fence, type RunError, type RunEvent } from './run.js';
import type { ModelStep } from './step.js';
import { webhookEvent, type ChangedRow, type ReportedState } from './webhook-events.js';

/** Maximum length of the answer of a run without a message, in characters. */
const ANSWER_LENGTH = 1_000_000;

/** Runs whose state was changed, and their descendants that were canceled with them. */
export interface ChangedRuns {
  ids: string[];
  below: string[];
  /** Whether there may be runs that a process can take: queued runs, or the parent of a changed run. */
  hasWaiting: boolean;
}

interface EndedRow extends ChangedRow {
  /**
   * Whether the run may have children. It is read from the current row. A subquery would not include a child whose start was committed
   * while this statement waited for the row.
   */
  calls_tools: boolean;
  has_waiting: boolean;
  /** Whether webhooks of the project may receive the event. */
  has_receivers: boolean;
}

/** Data that is stored together with a change of state. */
export interface RunChange {
  waitingFor?: WaitReason | undefined;
  error?: RunError | undefined;
  /** The reason why the run was canceled. */
  reason?: CancelReason | undefined;
  /** Id of the message with the answer in the context. */
  answerId?: string | undefined;
  /** The conversation of a prompt's run that contains the answer's message. */
  conversationId?: string | undefined;
  /** The answer of a run without an answer message. */
  output?: string | undefined;
  /** Further members of the event for the new state. */
  data?: object | undefined;
  /** Events that are stored before the event for the new state. */
  events?: readonly RunEvent[] | undefined;
  /** The last call of the model, stored with the change. */
  step?: ModelStep | undefined;
  /** Statements that write rows, executed as parts of the statement that changes the run. */
  also?: readonly Prisma.Sql[] | undefined;
}

/** Changes the state of runs that fulfil the condition, and adds the events. @returns the ids of the changed runs */
export const changeState = (
  state: RunState,
  condition: Prisma.Sql,
  change: RunChange,
  set = Prisma.empty,
): Prisma.Sql => {
  const { waitingFor, error, reason, answerId, conversationId, output, data, events = [], also = [] } = change;
  const step = change.step && modelStepSql(change.step);
  const sums = step ? Prisma.sql`, step_count = step_count + 1 ${step.sums}` : Prisma.empty;
  const { code, status, text } = error ?? {};
  const waits = waitingFor && { waiting_for: waitingFor };
  const all = [...events, stateEvent(state, { ...waits, ...(error && { code }), ...(reason && { reason }), ...data })];
  const ended = Prisma.raw(hasEnded(state) ? 'clock_timestamp()' : 'NULL');
  return Prisma.sql`
    WITH changed AS (
      UPDATE runs SET state = ${state}, state_at = now(), waiting_for = ${waitingFor ?? null}, ended_at = ${ended},
             error_code = ${code ?? null}, error_status = ${status ?? null}::int,
             error_text = ${text === undefined ? null : storableText(text).slice(0, ERROR_LENGTH)},
             answer_id = coalesce(${answerId ?? null}::uuid, answer_id),
             conversation_id = coalesce(${conversationId ?? null}::uuid, conversation_id), output = coalesce(${output === undefined ? null : storableText(output.slice(0, ANSWER_LENGTH))}, output),
             event_count = event_count + ${all.length}::int ${sums} ${set}
       WHERE ${condition} AND state = ANY(${statesBefore(state)})
      RETURNING id, event_count, step_count, attempt, depth, project, subject_kind, subject_name, subject_version, channel,
                tool_call_count > 0 AS calls_tools),
    ${step ? Prisma.sql`step AS (${step.insert}),` : Prisma.empty}
    ${
      also.length > 0
        ? Prisma.join(
            also.map((part, place) => Prisma.sql`${Prisma.raw(`also_${place}`)} AS (${part}),`),
            ' ',
          )
        : Prisma.empty
    }
    added AS (${insertEvents(all)})
    SELECT id, attempt, project, subject_kind, subject_name, subject_version, channel, calls_tools,
           depth > 0 OR EXISTS (SELECT FROM runs WHERE state = 'queued' AND depth = 0) AS has_waiting,
           ${hasReceivers(Prisma.raw('changed.project'))} AS has_receivers
      FROM changed ORDER BY id`;
};

/** Changes the state of runs like `changeState`, and reports the change to webhooks. @returns the changed runs */
async function changeOnce(
  tx: Tx,
  state: ReportedState,
  condition: Prisma.Sql,
  change: RunChange,
  set?: Prisma.Sql,
): Promise<EndedRow[]> {
  const rows = await tx.$queryRaw<EndedRow[]>(changeState(state, condition, change, set));
  for (const row of rows) if (row.has_receivers) await recordEvent(tx, webhookEvent(row, state, change));
  await recordPush(tx, rows, state, change.waitingFor);
  return rows;
}

/**
 * Changes the state of runs and reports the change. When a run ends, its descendants end too. The descendants are ended level by level. The
 * start of a child locks the row of its parent, so the statement that ends the parent waits for it, and the next statement finds the child.
 */
export async function changeReported(
  tx: Tx,
  state: ReportedState,
  condition: Prisma.Sql,
  change: RunChange,
  set?: Prisma.Sql,
): Promise<ChangedRuns> {
  const rows = await changeOnce(tx, state, condition, change, set);
  const below: string[] = [];
  for (let level = hasEnded(state) ? rows : []; ;) {
    const parents = level.filter((row) => row.calls_tools).map(({ id }) => id);
    if (parents.length === 0) break;
    const children = Prisma.sql`id = ANY(ARRAY(
      SELECT id FROM runs WHERE parent_id = ANY(${parents}::uuid[]) AND state IN ('queued', 'running', 'waiting') ORDER BY id FOR UPDATE))`;
    level = await changeOnce(tx, 'canceled', children, { reason: 'parent_ended' }, released);
    below.push(...level.map(({ id }) => id));
  }
  return { ids: rows.map(({ id }) => id), below, hasWaiting: rows.some((row) => row.has_waiting) };
}

export const fenced = ({ runId, attempt }: Fence) =>
  Prisma.sql`id = ${runId}::uuid AND attempt = ${attempt}::int AND state = 'running'`;

export const released = Prisma.sql`, lease_until = NULL`;
