import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { PAGE_BYTES } from '@millwright/records';
import { connectionOfTree, type StoredEvent } from '@millwright/runs';
import { rowIdOf } from '../concierge/concierge.js';
import { hasPendingBelow, type PendingCall } from '@millwright/runs/approvals';

export type TaskState = 'working' | 'input_required' | 'auth_required' | 'completed' | 'failed' | 'canceled';

/** A run in the terms of A2A, where it is called a task. */
export interface StoredTask {
  /** Id of the run. */
  id: string;
  contextId: string;
  state: TaskState;
  reason: string | null;
  /** The user's message in the form of A2A 1.0. */
  message: unknown;
  /** Text of the answer; null until the task is completed. */
  answer: string | null;
  statusAt: Date;
  /** New parts of the answer of a running task, in order. */
  chunks: Chunk[];
  /** Calls of tools that wait for a decision. */
  pending: readonly PendingCall[];
}

/** A part of an unfinished answer. */
export interface Chunk {
  seq: number;
  /** Whether the answer begins again with this part. Earlier parts are then not part of the answer. */
  starts: boolean;
  text: string;
}

/** The user and the agent that own tasks. All other users and agents get the answer that the task does not exist. */
export interface TaskOwner {
  caller: Caller;
  agent: Pick<RunnableAgent, 'id' | 'slug'>;
}

export interface TaskFilter {
  contextId: string | undefined;
  state: TaskState | undefined;
  /** Earliest change time of the tasks. */
  since: Date | undefined;
  /** Change time and id of the last task on the previous page. */
  after: { statusAt: Date; id: string } | undefined;
  limit: number;
  /** Whether the messages of users are read. */
  messages: boolean;
  /** Whether the answers are read. */
  answers: boolean;
}

const LOST = 'The process that worked on it ended. Send the message again in the same context to go on.';

/**
 * SQL for all tasks: the runs that A2A started, and the tasks that the former release stored. Tasks of the former release are deleted after 30 days,
 * and count as failed when they were working and their process has died.
 */
const TASKS = `(
  SELECT r.id, r.project, r.user_id, r.subject_id, r.context_id, r.answer_id, r.state_at AS status_at, r.input -> 'message' AS message,
         CASE WHEN r.state IN ('queued', 'running') THEN 'working'
              WHEN r.state <> 'waiting' THEN r.state
              WHEN r.waiting_for IN ('approval', 'input') THEN 'input_required'
              WHEN r.waiting_for = 'connection' THEN 'auth_required'
              WHEN r.waiting_for <> 'child' THEN 'working'
              WHEN ${hasPendingBelow('r.id')} THEN 'input_required'
              WHEN ${connectionOfTree('r.id')} IS NOT NULL THEN 'auth_required' ELSE 'working' END AS state,
         CASE WHEN r.waiting_for IN ('connection', 'child')
              THEN (SELECT 'Connect an account to ' || (data ->> 'name') || ': ' || (data ->> 'url') FROM (SELECT ${connectionOfTree('r.id')} AS data) w)
              WHEN r.state <> 'failed' THEN NULL WHEN r.error_code = 'unavailable' THEN 'The model could not be reached.'
              ELSE 'The agent failed.' END AS reason
    FROM runs r WHERE r.channel = 'a2a'
  UNION ALL
  SELECT o.id, o.project, o.user_id, $3::uuid, o.context_id, o.answer_id, o.status_at, o.message,
         CASE WHEN o.state = 'working' AND o.lease_until < now() THEN 'failed' ELSE o.state END,
         CASE WHEN o.state = 'working' AND o.lease_until < now() THEN '${LOST}' ELSE o.reason END
    FROM tasks o)`;

const ANSWER = '(SELECT m.content FROM context_messages m WHERE m.id = t.answer_id)';
const COLUMNS = `t.id, t.context_id AS "contextId", t.state, t.reason, t.status_at AS "statusAt"`;
/**
 * SQL condition: the task belongs to this user and agent, and so does its conversation. A deleted conversation belongs to no agent, so its tasks
 * match nobody.
 */
const OWN = `t.project = $1 AND t.user_id = $2 AND t.subject_id = $3::uuid AND EXISTS (
    SELECT FROM contexts c WHERE c.id = t.context_id AND c.user_id = $2 AND c.agent_id IS NOT DISTINCT FROM $4::uuid)`;
const FIND = `SELECT ${COLUMNS}, t.message, ${ANSWER} AS answer FROM ${TASKS} t WHERE ${OWN} AND t.id = $5`;
const MATCHING = `${OWN} AND ($5::uuid IS NULL OR t.context_id = $5) AND ($6::text IS NULL OR t.state = $6)
  AND ($7::timestamptz IS NULL OR t.status_at >= $7)`;
/** Greatest total that a list reports. Further tasks are listed but not counted. */
const MOST_COUNTED = 10_000;
/**
 * Lists tasks. Long texts are read only when they are requested, and only up to the byte limit of a page. Reads one row more than the limit, because
 * an additional row shows that more tasks follow.
 */
const LIST = `
  WITH found AS (
         SELECT ${COLUMNS}, t.answer_id, CASE WHEN $11 THEN t.message END AS message, CASE WHEN $12 THEN ${ANSWER} END AS answer
           FROM ${TASKS} t WHERE ${MATCHING}
            AND ($8::timestamptz IS NULL OR (t.status_at, t.id) < ($8, $9::uuid))
          ORDER BY t.status_at DESC, t.id DESC LIMIT $10),
       sized AS (SELECT f.*, count(*) OVER () AS found, sum(f.bytes) OVER (ORDER BY f."statusAt" DESC, f.id DESC) - f.bytes AS bytes_before
                   FROM (SELECT found.*, coalesce(octet_length(message::text), 0) + coalesce(octet_length(answer), 0) AS bytes FROM found) f)
  SELECT id, "contextId", state, reason, "statusAt", message, answer, found, '[]'::json AS chunks, '[]'::json AS pending
    FROM sized WHERE bytes_before < ${PAGE_BYTES} ORDER BY "statusAt" DESC, id DESC`;

/** Reads runs as tasks. */
export function createTaskStore(db: Database) {
  const valuesOf = ({ caller: { project, actor }, agent }: TaskOwner) => [
    ...[project, actor.userId, agent.id],
    rowIdOf(agent),
  ];

  return {
    /** Finds the task, without its chunks and pending calls. */
    async find(owner: TaskOwner, id: string): Promise<StoredTask | undefined> {
      const [row] = await db.prepared<StoredTask>('find-task', FIND, [...valuesOf(owner), id]);
      return row && { ...row, chunks: [], pending: [] };
    },

    /**
     * Lists a page of tasks by the time of their last change, newest first, without their pending calls. A page has at most 8 MiB plus one
     * task.
     */
    async list(owner: TaskOwner, { contextId, state, since, after, limit, messages, answers }: TaskFilter) {
      const filter = [...valuesOf(owner), contextId ?? null, state ?? null, since ?? null];
      const page = [after?.statusAt ?? null, after?.id ?? null, limit + 1, messages, answers];
      const rows = await db.prepared<StoredTask & { found: string }>('list-tasks', LIST, [...filter, ...page]);
      const tasks = rows.slice(0, limit);
      const isLast = Number(rows[0]?.found ?? 0) === tasks.length;
      const count = `SELECT count(*)::int AS total FROM (SELECT FROM ${TASKS} t WHERE ${MATCHING} LIMIT ${MOST_COUNTED}) few`;
      const [counted] = await db.prepared<{ total: number }>('count-tasks', count, filter);
      return { tasks, isLast, total: counted?.total ?? 0 };
    },
  };
}
export type TaskStore = ReturnType<typeof createTaskStore>;

/**
 * Turns the events of a run into the parts of its answer. The text of a step that calls tools is not part of the answer, so the answer
 * begins again with the next step.
 */
export function createChunkReader() {
  let step = 0;
  return (events: readonly StoredEvent[]): Chunk[] =>
    events.flatMap(({ type, seq, data }) => {
      if (type === 'run.running') step = 0; // a process that takes over the run writes the text of the run's current step again
      if (type !== 'message.delta') return [];
      const { step: of, delta: text } = data as { step: number; delta: string };
      const starts = of !== step;
      step = of;
      return text === '' ? [] : [{ seq, starts, text }];
    });
}
