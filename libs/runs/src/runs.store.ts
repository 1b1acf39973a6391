import type { Project } from '@millwright/auth';
import { BUILT_IN_AGENT } from '@millwright/catalog';
import { Prisma, storableText, type Database, type Tx } from '@millwright/db';
import { mayFinishDeleted } from '@millwright/db/deleted-agents';
import { currentTraceId } from '@millwright/telemetry';
import { storedCaller, type ClaimedRow } from './claimed-run.js';
import { insertEvents, stateEvent } from './events.js';
import { changeReported, changeState, fenced, released, type ChangedRuns, type RunChange } from './run-changes.js';
import { createRunLeases, LEASE } from './run-leases.store.js';
import { createRunQueue, UNENDED, type Place } from './run-queue.store.js';
import { createRunTree } from './run-tree.store.js';
import type { EndState, WaitReason } from './run-state.js';
import {
  METADATA_MAX_BYTES,
  RunLost,
  type ClaimedRun,
  type Fence,
  type NewRun,
  type RunError,
  type RunEvent,
  type RunStatus,
  type StoredEvent,
} from './run.js';
import type { ReportedState } from './webhook-events.js';

/** Maximum number of events in one result of {@link RunStore.events}. */
const MOST_EVENTS = 500;

/** Hours for which an idempotency key identifies its run. An answer is stored under its key for the same time. */
const KEY_HOURS = 24;

/** A run that the same request or call started earlier. */
export interface KeyedRun {
  id: string;
  contextId: string | null;
  messageId: string | null;
  model: string | null;
  /** Slug of the run's agent at the start of the run. */
  agent: string;
}

/** An agent whose runs must end. */
export interface EndedAgent {
  agentId: string;
  project: Project;
  /** Whether the agent was deleted; otherwise it was stopped. */
  isDeleted: boolean;
}

const KEYED = 'id, context_id AS "contextId", message_id AS "messageId", model, subject_name AS agent';

const STATUS = `id, state, waiting_for AS "waitingFor", state_at AS "stateAt", event_count AS "eventCount", answer_id AS "answerId",
  error_code AS "errorCode", error_text AS "errorText"`;

/**
 * The only access to the states, leases and events of runs. A worker's write names its attempt: after another process has taken the run, or
 * the run has ended, the write changes nothing and throws `RunLost`. The number of events is stored in the row of the run, which each write
 * locks. So events become visible in their order.
 */
export function createRunStore(db: Database) {
  const ofAgent = (
    { project, agentId }: Omit<Place, 'contextId'>,
    states: Prisma.Sql,
    after: string,
    limit: number,
    condition = Prisma.empty,
  ) =>
    Prisma.sql`id = ANY(ARRAY(
      SELECT id FROM runs WHERE project = ${project} AND subject_id = ${agentId}::uuid AND state IN ${states} AND id > ${after}::uuid ${condition}
       ORDER BY id LIMIT ${limit}::int FOR UPDATE))`;

  async function changeOwn(tx: Tx, state: ReportedState, fence: Fence, change: RunChange): Promise<ChangedRuns> {
    const changed = await changeReported(tx, state, fenced(fence), change, released);
    if (changed.ids.length === 0) throw new RunLost();
    return changed;
  }

  return {
    ...createRunQueue(db),
    ...createRunLeases(db),
    ...createRunTree(db),

    /**
     * Stores a run. With `worker`, the run is running in that process; otherwise it is queued.
     *
     * @throws Error for metadata that are too large
     */
    async start(
      tx: Pick<Tx, '$queryRaw'>,
      run: NewRun,
      worker: string | undefined,
    ): Promise<Fence & Pick<ClaimedRun, 'budgetId'>> {
      const { id, caller, subject, channel, parent, depth = 0, contextId, messageId, input, metadata = {} } = run;
      const metadataText = JSON.stringify(metadata);
      if (Buffer.byteLength(metadataText) > METADATA_MAX_BYTES) throw new Error('the metadata of a run are too large');
      const state = worker === undefined ? 'queued' : 'running';
      const attempt = worker === undefined ? 0 : 1;
      const startedAt = Prisma.raw(worker === undefined ? 'NULL' : 'clock_timestamp()');
      const lease = worker === undefined ? Prisma.sql`NULL` : Prisma.sql`now() + ${LEASE}`;
      const [row] = await tx.$queryRaw<Pick<ClaimedRow, 'budget_id'>[]>`
        WITH changed AS (
          INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, parent_id, parent_step,
                            depth, budget_id, credential_kind, credential_id, caller, context_id, message_id, conversation_id, input, model, idempotency_key, metadata,
                            trace_id, retry_of, state, attempt, worker, lease_until, started_at, event_count)
          VALUES (${id}::uuid, ${caller.project}, ${caller.actor.userId}::uuid, ${subject.kind}, ${subject.id}::uuid, ${subject.name},
                  ${subject.version}::int, ${channel}, ${parent?.id ?? null}::uuid, ${parent?.step ?? null}::int, ${depth}::smallint,
                  coalesce((SELECT p.budget_id FROM runs p WHERE p.id = ${parent?.id ?? null}::uuid), ${run.budgetId ?? null}::uuid),
                  ${caller.credential?.kind ?? null}, ${caller.credential?.id ?? null}, ${JSON.stringify(storedCaller(caller))}::json,
                  ${contextId ?? null}::uuid, ${messageId ?? null}::uuid, ${run.conversationId ?? null}::uuid, ${input === undefined ? null : storableText(JSON.stringify(input))}::json,
                  ${run.model ?? null}, ${run.idempotencyKey ?? null}, ${metadataText}::jsonb, ${run.traceId ?? currentTraceId() ?? null},
                  ${run.retryOf ?? null}::uuid, ${state}, ${attempt}::int, ${worker ?? null}::uuid, ${lease}, ${startedAt}, 1)
          RETURNING id, event_count, budget_id),
        added AS (${insertEvents([stateEvent(state)])})
        SELECT budget_id FROM changed`;
      return { runId: id, attempt, budgetId: row?.budget_id ?? null };
    },

    /**
     * Queues a waiting run, which continues when a process takes it.
     *
     * @returns false when the run no longer waits for this reason
     */
    async resume(tx: Tx, id: string, waitingFor: WaitReason): Promise<boolean> {
      const waits = Prisma.sql`id = ${id}::uuid AND state = 'waiting' AND waiting_for = ${waitingFor}`;
      return (await tx.$queryRaw<object[]>(changeState('queued', waits, {}, released))).length > 0;
    },

    /**
     * Whether the user of a run is active. Runs of inactive users end, and requests for them are answered like requests with an invalid
     * credential.
     */
    async hasActiveUser(id: string): Promise<boolean> {
      const [row] = await db.prepared<{ is_active: boolean }>(
        'find-user-of-run',
        `SELECT u.status = 'active' AS is_active FROM runs r JOIN users u ON u.id = r.user_id WHERE r.id = $1`,
        [id],
      );
      return row?.is_active ?? false;
    },

    /** Finds the run that a step of another run has started. */
    async findChild(parentId: string, step: number): Promise<KeyedRun | undefined> {
      const [row] = await db.prepared<KeyedRun>(
        'find-child-run',
        `SELECT ${KEYED} FROM runs WHERE parent_id = $1 AND parent_step = $2`,
        [parentId, step],
      );
      return row;
    },

    /** Reads the ids of the agents of a run and of its ancestors, in one statement. */
    async listAgentsAbove(id: string): Promise<string[]> {
      const rows = await db.prepared<{ subject_id: string }>(
        'list-agents-above-run',
        `WITH RECURSIVE above AS (
           SELECT id, parent_id, subject_id FROM runs WHERE id = $1
            UNION ALL SELECT r.id, r.parent_id, r.subject_id FROM runs r JOIN above a ON r.id = a.parent_id)
         SELECT subject_id FROM above`,
        [id],
      );
      return rows.map(({ subject_id }) => subject_id);
    },

    /** Makes the run wait. @throws RunLost when another process has taken over the run, or the run has ended */
    wait: async (
      tx: Tx,
      fence: Fence,
      waitingFor: WaitReason,
      change: Pick<RunChange, 'data' | 'events'> = {},
    ): Promise<void> => {
      await changeOwn(tx, 'waiting', fence, { ...change, waitingFor });
    },

    /** Ends the run, and its descendants with it. @throws RunLost when another process has taken over the run, or the run has ended */
    end: (tx: Tx, fence: Fence, state: EndState, change: RunChange = {}): Promise<ChangedRuns> =>
      changeOwn(tx, state, fence, change),

    /**
     * Ends a run and its descendants on behalf of a caller other than the process that executes them. The next write of
     * that process fails.
     *
     * @returns the ids of the ended runs
     */
    async cancel(tx: Tx, id: string): Promise<string[]> {
      const { ids, below } = await changeReported(tx, 'canceled', Prisma.sql`id = ${id}::uuid`, {}, released);
      return [...ids, ...below];
    },

    /**
     * Cancels runs of an agent after the run `after`, in the order of their start: the runs that a process executes and, with `all`, also
     * the queued and waiting runs.
     *
     * @returns the ids of the canceled runs, fewer than `limit` when no runs remain, and the ids of their descendants
     */
    cancelNext(
      tx: Tx,
      agent: Omit<Place, 'contextId'>,
      { all, after, limit }: { all: boolean; after: string; limit: number },
    ): Promise<ChangedRuns> {
      const states = Prisma.raw(all ? "('queued', 'running', 'waiting')" : "('running')");
      const change = { reason: 'agent_stopped' } as const;
      // With `all`, the agent must still be stopped: runs that started after an admin has ended the stop must not be canceled.
      const isStopped = Prisma.sql`AND EXISTS (SELECT FROM agents WHERE id = ${agent.agentId}::uuid AND stopped_at IS NOT NULL)`;
      const condition = all ? isStopped : Prisma.empty;
      return changeReported(tx, 'canceled', ofAgent(agent, states, after, limit, condition), change, released);
    },

    /**
     * Ends runs of a deleted agent that no process executes. A run that has begun may finish if its version of the agent is still stored.
     * Works like `cancelNext`, but the runs end as failed.
     */
    failNext(
      tx: Tx,
      agent: Omit<Place, 'contextId'>,
      { error, after, limit }: { error: RunError; after: string; limit: number },
    ): Promise<ChangedRuns> {
      const states = Prisma.raw("('queued', 'waiting')");
      const condition = Prisma.raw(`AND NOT ${mayFinishDeleted('runs')}`);
      return changeReported(tx, 'failed', ofAgent(agent, states, after, limit, condition), { error }, released);
    },

    /**
     * Ends the runs of an inactive user as failed, whatever state they have. `after`: row id of the last run of the previous call, because
     * the runs are ended in order of their ids.
     */
    failNextOfUser(
      tx: Tx,
      userId: string,
      { error, after, limit }: { error: RunError; after: string; limit: number },
    ): Promise<ChangedRuns> {
      // The user must still be inactive: the runs of a user who was enabled again must not end.
      const condition = Prisma.sql`id = ANY(ARRAY(
        SELECT id FROM runs WHERE user_id = ${userId}::uuid AND ${Prisma.raw(UNENDED)} AND id > ${after}::uuid
           AND EXISTS (SELECT FROM users WHERE id = ${userId}::uuid AND status <> 'active')
         ORDER BY id LIMIT ${limit}::int FOR UPDATE))`;
      return changeReported(tx, 'failed', condition, { error }, released);
    },

    /**
     * Lists the users who have unfinished runs and are not active any more. The cost is limited by the number of users
     * with unfinished runs.
     */
    async listInactiveUsers(): Promise<string[]> {
      const rows = await db.prepared<{ user_id: string }>(
        'list-inactive-users-with-runs',
        `WITH RECURSIVE users_with_runs AS (
           (SELECT user_id FROM runs WHERE ${UNENDED} ORDER BY user_id LIMIT 1)
            UNION ALL
           SELECT n.user_id FROM users_with_runs w CROSS JOIN LATERAL (
             SELECT user_id FROM runs WHERE ${UNENDED} AND user_id > w.user_id ORDER BY user_id LIMIT 1) n)
         SELECT w.user_id FROM users_with_runs w JOIN users u ON u.id = w.user_id WHERE u.status <> 'active'`,
        [],
      );
      return rows.map(({ user_id }) => user_id);
    },

    /**
     * Lists the stopped or deleted agents with runs that must end and that no process executes. The cost is limited by
     * the number of agents with runs, and for a deleted agent by the number of its runs.
     */
    listEndedAgents: (): Promise<EndedAgent[]> =>
      db.prepared<EndedAgent>(
        'list-ended-agents',
        `WITH RECURSIVE active AS (
           (SELECT subject_id, project FROM runs WHERE ${UNENDED} ORDER BY subject_id LIMIT 1)
            UNION ALL
           SELECT n.subject_id, n.project FROM active a CROSS JOIN LATERAL (
             SELECT subject_id, project FROM runs WHERE ${UNENDED} AND subject_id > a.subject_id ORDER BY subject_id LIMIT 1) n)
         SELECT c.subject_id AS "agentId", c.project, a.id IS NULL AS "isDeleted"
           FROM active c LEFT JOIN agents a ON a.id = c.subject_id
          WHERE (a.id IS NULL OR a.stopped_at IS NOT NULL) AND c.subject_id <> $1::uuid AND EXISTS (
            SELECT FROM runs r WHERE r.subject_id = c.subject_id AND ${UNENDED} AND r.state <> 'running' AND r.subject_kind = 'agent'
              AND r.subject_version IS NOT NULL AND (a.id IS NOT NULL OR NOT ${mayFinishDeleted('r')}))`,
        [BUILT_IN_AGENT.id],
      ),

    /** Whether the agent has an unfinished run. */
    async hasActive(tx: Tx, { project, agentId }: Omit<Place, 'contextId'>): Promise<boolean> {
      const [row] = await tx.$queryRaw<{ found: boolean }[]>`
        SELECT EXISTS (SELECT FROM runs WHERE project = ${project} AND subject_id = ${agentId}::uuid
                          AND state IN ('queued', 'running', 'waiting')) AS found`;
      return row?.found ?? false;
    },

    /**
     * Adds events of several runs with one statement. For a run that this process has lost, the events are dropped:
     * followers read the events of the process that took over the run.
     */
    async addEvents(batch: readonly (Fence & { events: readonly RunEvent[] })[]): Promise<void> {
      const flat = batch.flatMap(({ runId, events }) =>
        events.map((event, index) => ({ runId, event, place: index + 1 })),
      );
      await db.prepared(
        'add-run-events',
        `WITH held AS (
           SELECT r.id, f.n FROM runs r JOIN unnest($1::uuid[], $2::int[], $3::int[]) f (id, attempt, n)
                  ON r.id = f.id AND r.attempt = f.attempt
            WHERE r.state = 'running' ORDER BY r.id FOR UPDATE OF r),
         changed AS (
           UPDATE runs r SET event_count = r.event_count + held.n FROM held WHERE r.id = held.id
           RETURNING r.id, r.event_count - held.n AS before)
         INSERT INTO run_events (run_id, seq, type, data)
         SELECT c.id, c.before + e.place, e.type, e.data::json
           FROM changed c JOIN unnest($4::uuid[], $5::int[], $6::text[], $7::text[]) e (id, place, type, data) ON e.id = c.id`,
        [
          batch.map(({ runId }) => runId),
          batch.map(({ attempt }) => attempt),
          batch.map(({ events }) => events.length),
          flat.map(({ runId }) => runId),
          flat.map(({ place }) => place),
          flat.map(({ event }) => event.type),
          flat.map(({ event }) => JSON.stringify(event.data)),
        ],
      );
    },

    /** Reads one page of the events after `seq`, in order. */
    events: (id: string, seq: number, limit = MOST_EVENTS): Promise<StoredEvent[]> =>
      db.prepared<StoredEvent>(
        'list-run-events',
        'SELECT seq, type, data, at FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
        [id, seq, limit],
      ),

    /**
     * Finds the run that an earlier attempt of the same request started. A failed run is ignored, so that a retry of the request starts
     * another run.
     */
    async findKeyed(userId: string, subjectId: string, idempotencyKey: string): Promise<KeyedRun | undefined> {
      const [row] = await db.prepared<KeyedRun>(
        'find-keyed-run',
        `SELECT ${KEYED} FROM runs
          WHERE idempotency_key = $1 AND user_id = $2 AND subject_id = $3 AND state <> 'failed'
            AND queued_at > now() - interval '${KEY_HOURS} hours' ORDER BY id DESC LIMIT 1`,
        [idempotencyKey, userId, subjectId],
      );
      return row;
    },

    async status(id: string): Promise<RunStatus | undefined> {
      const [row] = await db.prepared<RunStatus>('find-run-status', `SELECT ${STATUS} FROM runs WHERE id = $1`, [id]);
      return row;
    },
  };
}
export type RunStore = ReturnType<typeof createRunStore>;
