import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, newId, Prisma, type Database, type Tx } from '@millwright/db';
import { rowIdOf } from '../concierge/concierge.js';
import type { TaskNotifier } from './task-notifier.js';

export type TaskState = 'working' | 'completed' | 'failed' | 'canceled';

/** A stored task. */
export interface StoredTask {
  id: string;
  contextId: string;
  state: TaskState;
  reason: string | null;
  /** The user's message in the form of A2A 1.0. */
  message: unknown;
  /** Set when the task is completed. */
  answer: string | null;
  statusAt: Date;
  /** New parts of the answer of a running task, in order. */
  chunks: Chunk[];
}

/** A part of an unfinished answer. */
export interface Chunk {
  seq: number;
  /** Whether the answer starts over with this part. */
  starts: boolean;
  text: string;
}

export interface TaskChunk extends Chunk {
  taskId: string;
}

/** The user and the agent of tasks. For everyone else the tasks do not exist. */
export interface TaskOwner {
  caller: Caller;
  agent: Pick<RunnableAgent, 'id' | 'slug'>;
}

export interface TaskFilter {
  contextId: string | undefined;
  state: TaskState | undefined;
  /** The earliest time of change. */
  since: Date | undefined;
  /** The last task of the page before. */
  after: { statusAt: Date; id: string } | undefined;
  limit: number;
}

/** The task has ended already, so nothing is stored. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded';
}

/** A process that does not renew its lease for this time has abandoned its tasks. */
const LEASE = "interval '10 seconds'";
const LOST = 'The process that worked on it ended. Send the message again in the same context to go on.';

const COLUMNS = `t.id, t.context_id AS "contextId", t.state, t.reason, t.message, t.status_at AS "statusAt",
  t.state = 'working' AND t.lease_until < now() AS lost,
  (SELECT m.content FROM context_messages m WHERE m.id = t.answer_id) AS answer`;
/** An agent may have the slug of a deleted one, whose tasks are not its own: their contexts belong to the agent by its id. */
const OWN = `t.project = $1 AND t.user_id = $2 AND t.agent = $3 AND EXISTS (
    SELECT FROM contexts c WHERE c.id = t.context_id AND c.user_id = $2 AND c.agent_id IS NOT DISTINCT FROM $4::uuid)`;

const LOST_TASKS = `
  UPDATE tasks t SET state = 'failed', reason = $5, status_at = now() WHERE ${OWN} AND t.state = 'working' AND t.lease_until < now()`;
/** Ends abandoned tasks that match the condition, and deletes their unfinished answers. */
const endLost = (condition: string) =>
  `WITH ended AS (${LOST_TASKS} ${condition} RETURNING t.id) DELETE FROM task_chunks c USING ended WHERE c.task_id = ended.id`;
const FIND = `
  SELECT ${COLUMNS}, coalesce((SELECT json_agg(json_build_object('seq', c.seq, 'starts', c.starts, 'text', c.text) ORDER BY c.seq)
                                 FROM task_chunks c WHERE c.task_id = t.id AND c.seq > $6 AND t.state = 'working'), '[]') AS chunks
    FROM tasks t WHERE ${OWN} AND t.id = $5`;
const MATCHING = `${OWN} AND ($5::uuid IS NULL OR t.context_id = $5) AND ($6::text IS NULL OR t.state = $6)
  AND ($7::timestamptz IS NULL OR t.status_at >= $7)`;
const LIST = `
  SELECT ${COLUMNS}, '[]'::json AS chunks FROM tasks t WHERE ${MATCHING}
     AND ($8::timestamptz IS NULL OR (t.status_at, t.id) < ($8, $9::uuid)) ORDER BY t.status_at DESC, t.id DESC LIMIT $10`;

const ADD_CHUNKS = `
  INSERT INTO task_chunks (task_id, seq, starts, text)
    SELECT c.task_id, c.seq, c.starts, c.text
      FROM unnest($1::uuid[], $2::int[], $3::bool[], $4::text[]) c (task_id, seq, starts, text)
      JOIN tasks t ON t.id = c.task_id AND t.state = 'working'`;

/**
 * The only file that reads and writes tasks. A task ends once: by the first of answer, failure, cancellation or an expired lease.
 * Changes are notified after their transaction.
 */
export function createTaskStore(db: Database, notifier: TaskNotifier) {
  const valuesOf = ({ caller: { project, actor }, agent }: TaskOwner) => [
    project,
    actor.userId,
    agent.slug,
    rowIdOf(agent),
  ];

  /** @returns whether this ended it. */
  async function end(tx: Tx, id: string, ended: { state: TaskState; reason?: string; answerId?: string }) {
    const { state, reason = null, answerId = null } = ended;
    const rows = await tx.$executeRaw`
      UPDATE tasks SET state = ${state}, reason = ${reason}, answer_id = ${answerId}::uuid, status_at = now()
       WHERE id = ${id}::uuid AND state = 'working'`;
    if (rows === 0) return false;
    await tx.taskChunk.deleteMany({ where: { task_id: id } });
    return true;
  }

  return {
    /** Starts a task, whose message is made by `toMessage`. */
    async create(tx: Tx, { caller, agent }: TaskOwner, contextId: string, toMessage: (taskId: string) => object) {
      const id = newId();
      const message = JSON.stringify(toMessage(id));
      await tx.$executeRaw`
        INSERT INTO tasks (id, project, user_id, agent, context_id, state, message, lease_until)
        VALUES (${id}::uuid, ${caller.project}, ${caller.actor.userId}::uuid, ${agent.slug}, ${contextId}::uuid, 'working',
                ${message}::json, now() + ${Prisma.raw(LEASE)})`;
      return id;
    },

    /** The task with its chunks after `seq`. An abandoned task has failed. */
    async find(owner: TaskOwner, id: string, seq = 0): Promise<StoredTask | undefined> {
      const own = valuesOf(owner);
      const [row] = await db.prepared<StoredTask & { lost: boolean }>('find-task', FIND, [...own, id, seq]);
      if (!row?.lost) return row;
      await db.prepared('end-lost-task', endLost('AND t.id = $6'), [...own, LOST, id]);
      return this.find(owner, id, seq);
    },

    /** Tasks by the time of their last change, newest first. */
    async list(owner: TaskOwner, { contextId, state, since, after, limit }: TaskFilter) {
      const own = valuesOf(owner);
      await db.prepared('end-lost-tasks', endLost(''), [...own, LOST]);
      const filter = [...own, contextId ?? null, state ?? null, since ?? null];
      const page = [after?.statusAt ?? null, after?.id ?? null, limit];
      const tasks = await db.prepared<StoredTask>('list-tasks', LIST, [...filter, ...page]);
      const count = `SELECT count(*)::int AS total FROM tasks t WHERE ${MATCHING}`;
      const [counted] = await db.prepared<{ total: number }>('count-tasks', count, filter);
      return { tasks, total: counted?.total ?? 0 };
    },

    /** Adds chunks to the answers of running tasks. */
    async addChunks(chunks: readonly TaskChunk[]): Promise<void> {
      const values = [
        chunks.map(({ taskId }) => taskId),
        chunks.map(({ seq }) => seq),
        chunks.map(({ starts }) => starts),
        chunks.map(({ text }) => text),
      ];
      await db.prepared('add-task-chunks', ADD_CHUNKS, values);
      notifier.changed(chunks.map(({ taskId }) => taskId));
    },

    /** Renews the leases of these tasks. @returns those that are still running */
    async renew(ids: readonly string[]): Promise<string[]> {
      const text = `UPDATE tasks SET lease_until = now() + ${LEASE} WHERE id = ANY($1::uuid[]) AND state = 'working' RETURNING id`;
      return (await db.prepared<{ id: string }>('renew-tasks', text, [ids])).map(({ id }) => id);
    },

    /**
     * Ends a task with its answer, whose id `storeAnswer` returns.
     *
     * @throws TaskEnded, which also undoes the storing of the answer
     */
    async complete(id: string, storeAnswer: (tx: Tx) => Promise<string>): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await end(tx, id, { state: 'completed', answerId: await storeAnswer(tx) }))) throw new TaskEnded();
      });
      notifier.ended(id);
    },

    async fail(id: string, reason: string): Promise<void> {
      if (await db.transaction((tx) => end(tx, id, { state: 'failed', reason }))) notifier.ended(id);
    },

    /** Cancels a task and notifies the process that runs it. @returns whether this ended it */
    async cancel(owner: TaskOwner, id: string): Promise<boolean> {
      const canceled = await db.transaction(async (tx) => {
        const { project, actor } = owner.caller;
        const found = await tx.$queryRaw<object[]>`
          SELECT 1 FROM tasks t JOIN contexts c ON c.id = t.context_id
           WHERE t.project = ${project} AND t.user_id = ${actor.userId}::uuid AND t.agent = ${owner.agent.slug}
             AND c.agent_id IS NOT DISTINCT FROM ${rowIdOf(owner.agent)}::uuid AND t.id = ${id}::uuid FOR UPDATE OF t`;
        if (found.length === 0 || !(await end(tx, id, { state: 'canceled' }))) return false;
        const resource = encodeId('task', id);
        await recordDecision(tx, {
          ...owner.caller,
          action: 'agent.task.cancel',
          resource,
          detail: { agent: owner.agent.slug },
        });
        return true;
      });
      if (canceled) notifier.ended(id);
      return canceled;
    },
  };
}
export type TaskStore = ReturnType<typeof createTaskStore>;
