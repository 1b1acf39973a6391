import type { Caller, Project } from '@millwright/auth';
import { BUILT_IN_AGENT } from '@millwright/catalog';
import { ADVISORY_LOCKS, Prisma, storableText, type Database, type Tx } from '@millwright/db';
import { recordEvents } from '@millwright/events';
import { currentTraceId } from '@millwright/telemetry';
import { insertEvents, stateEvent } from './events.js';
import { recordPush } from './push-notifications.js';
import { webhookEvent, type ChangedRow, type ReportedState } from './webhook-events.js';
import { hasEnded, statesBefore, type EndState, type RunState, type WaitReason } from './run-state.js';
import {
  ERROR_LENGTH,
  METADATA_MAX_BYTES,
  RunLost,
  type ClaimedRun,
  type Fence,
  type NewRun,
  type RunError,
  type RunEvent,
  type RunStatus,
  type StoredCaller,
  type StoredEvent,
} from './run.js';

/** Duration of a lease: a process that does not renew for this time may lose its runs. */
export const LEASE_MS = 10_000;
const LEASE = Prisma.raw(`interval '${LEASE_MS} milliseconds'`);

/** Pause before the restart of a run that was given up because the database did not answer. */
const PAUSE_MS = 2_000;

/** Maximum number of events in one result of {@link RunStore.events}. */
const MOST_EVENTS = 500;

/** Limit of the answer of a run without a message, in characters. */
const ANSWER_LENGTH = 1_000_000;

/** Equal to the time for which an answer is kept under its idempotency key. */
const KEY_HOURS = 24;

/** Above the maximum number of concurrent starts: each start uses a database connection. */
const MOST_STARTS = 500;

/**
 * Maximum number of unfinished runs of one conversation, which run one after the other. A process that takes runs reads each queued run of
 * a conversation, of which only the first is free.
 */
export const MOST_RUNS_OF_CONVERSATION = 100;

/** A run that the same request or call started earlier. */
export interface KeyedRun {
  id: string;
  contextId: string | null;
  messageId: string | null;
  model: string | null;
}

/** The state in which a new run starts. */
export interface Occupancy {
  /** Number of runs that the project executes, without runs for which other runs wait. */
  projectRuns: number;
  /** State of the conversation's earliest unfinished run. */
  contextState: RunState | null;
  /** Number of the conversation's unfinished runs, counted up to {@link MOST_RUNS_OF_CONVERSATION}. */
  contextRuns: number;
  /** Whether an admin has stopped the agent. A later stop waits for the end of the transaction. */
  isStopped: boolean;
}

/** The owner and conversation of a new run. */
export interface Place {
  project: string;
  agentId: string;
  contextId: string;
}

/** An agent whose runs must end. */
export interface EndedAgent {
  agentId: string;
  project: Project;
  /** False: the agent is stopped. */
  isDeleted: boolean;
}

/** A run of a prompt or a model whose process has not renewed its lease. */
export interface LapsedRun extends Fence {
  /** End of the lease, in the database's text form. */
  leaseUntil: string;
}

/** Runs whose state was changed, and their descendants that were canceled with them. */
export interface ChangedRuns {
  ids: string[];
  below: string[];
}

interface EndedRow extends ChangedRow {
  /** Only such a run may have children. Read from the current row: a subquery would miss a start for which this statement waited. */
  calls_tools: boolean;
}

/** Further changes made with a change of state. */
export interface RunChange {
  waitingFor?: WaitReason | undefined;
  error?: RunError | undefined;
  /** The context's message with the answer. */
  answerId?: string | undefined;
  /** The conversation of a prompt's run that contains the answer's message. */
  conversationId?: string | undefined;
  /** The answer of a run without an answer message. */
  output?: string | undefined;
  /** Further members of the state's event. */
  data?: object | undefined;
  /** Events that precede the state's event. */
  events?: readonly RunEvent[] | undefined;
}

export const storedCaller = ({ project, actor, scopes, mcpTools }: Caller): StoredCaller => ({
  project,
  actor,
  scopes: scopes ? [...scopes] : null,
  mcpTools: mcpTools ? [...mcpTools] : null,
});

const callerOf = ({ caller, credential_kind: kind, credential_id: id }: ClaimedRow): Caller => {
  const { project, actor, scopes, mcpTools } = caller;
  return {
    project,
    actor,
    ...(scopes && { scopes: new Set(scopes) }),
    ...(mcpTools && { mcpTools }),
    ...(kind !== null && id !== null && { credential: { kind, id } }),
  };
};

interface ClaimedRow {
  id: string;
  attempt: number;
  caller: StoredCaller;
  credential_kind: NonNullable<Caller['credential']>['kind'] | null;
  credential_id: string | null;
  subject_kind: 'agent' | 'prompt' | 'model';
  subject_id: string;
  subject_name: string;
  subject_version: number | null;
  channel: ClaimedRun['channel'];
  depth: number;
  context_id: string | null;
  message_id: string | null;
  input: unknown;
  model: string | null;
  idempotency_key: string | null;
  started_at: Date;
  budget_id: string | null;
  trigger: string | null;
}

const CLAIMED =
  Prisma.raw(`id, attempt, caller, credential_kind, credential_id, subject_kind, subject_id, subject_name, subject_version, channel, depth,
  context_id, message_id, input, model, idempotency_key, started_at, budget_id,
  CASE WHEN channel = 'trigger' THEN metadata ->> 'trigger' END AS trigger`);

const claimedRun = (row: ClaimedRow): ClaimedRun => ({
  runId: row.id,
  attempt: row.attempt,
  caller: callerOf(row),
  subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name, version: row.subject_version },
  channel: row.channel,
  depth: row.depth,
  contextId: row.context_id,
  messageId: row.message_id,
  input: row.input,
  model: row.model,
  idempotencyKey: row.idempotency_key,
  startedAt: row.started_at,
  budgetId: row.budget_id,
  trigger: row.trigger,
  isTakenOver: row.attempt > 1,
});

const KEYED = 'id, context_id AS "contextId", message_id AS "messageId", model';

/** SQL condition that the run `r` waits for its child runs, and that all of them have ended. */
const CHILDREN_ENDED = `state = 'waiting' AND waiting_for = 'child' AND NOT EXISTS (
  SELECT FROM runs c WHERE c.parent_id = r.id AND c.state IN ('queued', 'running', 'waiting'))`;

/** Kinds of runs that a process could take. */
export interface WaitingForWorker {
  roots: boolean;
  children: boolean;
}

const UNENDED = "state IN ('queued', 'running', 'waiting')";
const LAPSED = Prisma.sql`state = 'running' AND lease_until < now()`;

/** Event data of a run that another process had started. */
const TAKEN_OVER = { taken_over: true };

/** Selects the runs that fulfil the condition, except runs locked by another transaction. */
const next = (condition: Prisma.Sql, limit: number): Prisma.Sql => Prisma.sql`id = ANY(ARRAY(
  SELECT id FROM runs r WHERE ${condition} ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;

const STATUS = `id, state, waiting_for AS "waitingFor", state_at AS "stateAt", event_count AS "eventCount", answer_id AS "answerId",
  error_code AS "errorCode", error_text AS "errorText"`;

/**
 * Sole access to the states, leases and events of runs. A worker's write names its attempt: after another process has taken the run, or
 * the run has ended, the write changes nothing and throws `RunLost`. The run's row counts its events, so that events become visible in
 * their order.
 */
export function createRunStore(db: Database) {
  /** Changes the state of runs that fulfil the condition, and adds the events. @returns the ids of the changed runs */
  const changeState = (state: RunState, condition: Prisma.Sql, change: RunChange, set = Prisma.empty): Prisma.Sql => {
    const { waitingFor, error, answerId, conversationId, output, data, events = [] } = change;
    const { code, status, text } = error ?? {};
    const waits = waitingFor && { waiting_for: waitingFor };
    const all = [...events, stateEvent(state, { ...waits, ...(error && { code }), ...data })];
    const ended = Prisma.raw(hasEnded(state) ? 'now()' : 'NULL');
    return Prisma.sql`
      WITH changed AS (
        UPDATE runs SET state = ${state}, state_at = now(), waiting_for = ${waitingFor ?? null}, ended_at = ${ended},
               error_code = ${code ?? null}, error_status = ${status ?? null}::int,
               error_text = ${text === undefined ? null : storableText(text).slice(0, ERROR_LENGTH)},
               answer_id = coalesce(${answerId ?? null}::uuid, answer_id),
               conversation_id = coalesce(${conversationId ?? null}::uuid, conversation_id), output = coalesce(${output === undefined ? null : storableText(output.slice(0, ANSWER_LENGTH))}, output),
               event_count = event_count + ${all.length}::int ${set}
         WHERE ${condition} AND state = ANY(${statesBefore(state)})
        RETURNING id, event_count, attempt, project, subject_kind, subject_name, subject_version, channel,
                  tool_call_count > 0 AS calls_tools),
      added AS (${insertEvents(all)})
      SELECT id, attempt, project, subject_kind, subject_name, subject_version, channel, calls_tools FROM changed ORDER BY id`;
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
    await recordEvents(
      tx,
      rows.map((row) => webhookEvent(row, state, change)),
    );
    const tasks = rows.filter(({ channel }) => channel === 'a2a').map(({ id }) => id);
    await recordPush(tx, tasks, state, change.waitingFor);
    return rows;
  }

  /**
   * Changes the state of runs and reports the change. The descendants of an ending run end with it, level by level: an uncommitted
   * start of a child locks the row of its parent.
   */
  async function changeReported(
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
      level = await changeOnce(tx, 'canceled', children, { data: { reason: 'parent_ended' } }, released);
      below.push(...level.map(({ id }) => id));
    }
    return { ids: rows.map(({ id }) => id), below };
  }

  const fenced = ({ runId, attempt }: Fence) =>
    Prisma.sql`id = ${runId}::uuid AND attempt = ${attempt}::int AND state = 'running'`;

  const released = Prisma.sql`, lease_until = NULL`;

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

  async function changeOwn(tx: Tx, state: ReportedState, fence: Fence, change: RunChange): Promise<string[]> {
    const { ids, below } = await changeReported(tx, state, fenced(fence), change, released);
    if (ids.length === 0) throw new RunLost();
    return below;
  }

  const taken = (
    worker: string,
  ) => Prisma.sql`, attempt = attempt + 1, worker = ${worker}::uuid, lease_until = now() + ${LEASE},
    started_at = coalesce(started_at, now())`;

  async function claim(tx: Tx, worker: string, condition: Prisma.Sql, data: object = {}): Promise<ClaimedRun[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>(changeState('running', condition, { data }, taken(worker)));
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const claimed = await tx.$queryRaw<ClaimedRow[]>`
      SELECT ${CLAIMED} FROM runs WHERE id = ANY(${ids}::uuid[]) ORDER BY id`;
    return claimed.map(claimedRun);
  }

  return {
    /**
     * Stores a run: running in the process `worker`, or queued without a worker.
     *
     * @throws Error for metadata that are too large
     */
    async start(tx: Tx, run: NewRun, worker: string | undefined): Promise<Fence & Pick<ClaimedRun, 'budgetId'>> {
      const { id, caller, subject, channel, parent, depth = 0, contextId, messageId, input, metadata = {} } = run;
      const metadataText = JSON.stringify(metadata);
      if (Buffer.byteLength(metadataText) > METADATA_MAX_BYTES) throw new Error('the metadata of a run are too large');
      const state = worker === undefined ? 'queued' : 'running';
      const attempt = worker === undefined ? 0 : 1;
      const now = Prisma.raw(worker === undefined ? 'NULL' : 'now()');
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
                  ${run.retryOf ?? null}::uuid, ${state}, ${attempt}::int, ${worker ?? null}::uuid, ${lease}, ${now}, 1)
          RETURNING id, event_count, budget_id),
        added AS (${insertEvents([stateEvent(state)])})
        SELECT budget_id FROM changed`;
      return { runId: id, attempt, budgetId: row?.budget_id ?? null };
    },

    /** Takes the queued runs of the given runs. @returns the runs that no other process took */
    takeQueued: (tx: Tx, worker: string, ids: readonly string[]): Promise<ClaimedRun[]> =>
      claim(tx, worker, Prisma.sql`id = ANY(${[...ids]}::uuid[]) AND state = 'queued'`),

    /** Takes at most `limit` runs whose process has not renewed its lease, except runs that other processes are taking. */
    takeLapsed: (tx: Tx, worker: string, limit: number): Promise<ClaimedRun[]> =>
      claim(tx, worker, next(Prisma.sql`${LAPSED} AND subject_kind = 'agent' AND depth = 0`, limit), TAKEN_OVER),

    /** Takes runs for which another run waits: runs that continue after a wait, and runs whose process has not renewed its lease. */
    async takeChildren(tx: Tx, worker: string, limit: number): Promise<ClaimedRun[]> {
      const lapsed = Prisma.sql`${LAPSED} AND depth > 0`;
      return [
        ...(await claim(tx, worker, next(lapsed, limit), TAKEN_OVER)),
        ...(await claim(tx, worker, next(Prisma.sql`state = 'queued' AND depth > 0`, limit))),
      ];
    },

    /** Runs of prompts and models whose processes have not renewed their leases. No process can continue them. */
    lapsedPrompts: (limit: number): Promise<LapsedRun[]> =>
      db.prepared<LapsedRun>(
        'list-lapsed-prompt-runs',
        `SELECT id AS "runId", attempt, lease_until::text AS "leaseUntil" FROM runs
          WHERE state = 'running' AND subject_kind IN ('prompt', 'model') AND lease_until < now() ORDER BY id LIMIT $1`,
        [limit],
      ),

    /** Ends a run whose lease has lapsed. @returns false when its process has renewed the lease meanwhile, or the run has ended */
    async endLapsed(tx: Tx, { runId, attempt, leaseUntil }: LapsedRun, error: RunError): Promise<boolean> {
      const lapsed = Prisma.sql`${fenced({ runId, attempt })} AND lease_until = ${leaseUntil}::timestamptz AND lease_until < now()`;
      return (await changeReported(tx, 'failed', lapsed, { error }, released)).ids.length > 0;
    },

    /** Continues the runs that wait for child runs, all of which have ended. */
    async resumeParents(tx: Tx, limit: number): Promise<void> {
      await tx.$queryRaw(changeState('queued', next(Prisma.raw(CHILDREN_ENDED), limit), {}, released));
    },

    /** Whether a process could take runs now: runs that need a place, and children, with the parents that waited for them. */
    async waitingForWorker(): Promise<WaitingForWorker> {
      const [row] = await db.prepared<WaitingForWorker>(
        'find-runs-without-worker',
        `SELECT EXISTS (SELECT FROM runs WHERE state = 'queued' AND depth = 0)
                  OR EXISTS (
                    SELECT FROM runs WHERE state = 'running' AND lease_until < now() AND depth = 0 AND subject_kind = 'agent') AS roots,
                EXISTS (SELECT FROM runs WHERE state = 'queued' AND depth > 0)
                  OR EXISTS (SELECT FROM runs WHERE state = 'running' AND lease_until < now() AND depth > 0)
                  OR EXISTS (SELECT FROM runs r WHERE ${CHILDREN_ENDED}) AS children`,
        [],
      );
      return row ?? { roots: false, children: false };
    },

    /**
     * Takes queued runs in round-robin order of the projects. Excludes runs whose conversation has an earlier unfinished run, and runs of
     * projects that already execute `projectLimit` runs. Only one process takes runs at a time. Each project's runs are counted once, for
     * any number of queued runs.
     */
    async takeNext(tx: Tx, worker: string, limit: number, projectLimit: number): Promise<ClaimedRun[]> {
      if (limit <= 0) return [];
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.runQueue})`;
      const rows = await tx.$queryRaw<{ id: string }[]>`
        WITH RECURSIVE projects AS (
          (SELECT project FROM runs WHERE ${Prisma.raw(UNENDED)} ORDER BY project LIMIT 1)
           UNION ALL
          SELECT n.project FROM projects p CROSS JOIN LATERAL (
            SELECT project FROM runs WHERE ${Prisma.raw(UNENDED)} AND project > p.project ORDER BY project LIMIT 1) n)
        SELECT first.id FROM (
          SELECT p.project, (
            SELECT count(*) FROM runs r WHERE r.project = p.project AND state = 'running' AND depth = 0 AND subject_kind = 'agent') AS running
            FROM projects p) p
         CROSS JOIN LATERAL (
          SELECT next.id, row_number() OVER (ORDER BY next.id) AS place FROM (
            SELECT q.id FROM runs q
             WHERE q.project = p.project AND q.state = 'queued' AND q.depth = 0 AND NOT EXISTS (
               SELECT FROM runs e WHERE e.context_id = q.context_id AND e.id < q.id AND e.state IN ('queued', 'running', 'waiting'))
             ORDER BY q.id LIMIT ${limit}::int) next) first
         WHERE first.place + p.running <= ${projectLimit}::int ORDER BY first.place, first.id LIMIT ${limit}::int`;
      return claim(tx, worker, Prisma.sql`id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND state = 'queued'`);
    },

    /**
     * Reads the state in which a new run of a conversation starts: the state of the earliest unfinished run, if any, the number of runs
     * that the project executes, and whether the agent is stopped. A stop of the agent waits for this transaction.
     * Near `projectLimit` the project's runs start one at a time, so that the limit is exact.
     */
    async occupancy(tx: Tx, { project, agentId, contextId }: Place, projectLimit: number): Promise<Occupancy> {
      const count = async () => {
        const [row] = await tx.$queryRaw<Occupancy[]>`
          WITH agent AS MATERIALIZED (SELECT stopped_at FROM agents WHERE id = ${agentId}::uuid FOR KEY SHARE)
          SELECT EXISTS (SELECT FROM agent WHERE stopped_at IS NOT NULL) AS "isStopped",
                 (SELECT count(*) FROM runs WHERE project = ${project} AND state = 'running' AND depth = 0 AND subject_kind = 'agent')::int AS "projectRuns",
                 (SELECT state FROM runs WHERE context_id = ${contextId}::uuid AND state IN ('queued', 'running', 'waiting')
                   ORDER BY id LIMIT 1) AS "contextState",
                 (SELECT count(*) FROM (SELECT FROM runs WHERE context_id = ${contextId}::uuid AND state IN ('queued', 'running', 'waiting')
                   LIMIT ${MOST_RUNS_OF_CONVERSATION}) own)::int AS "contextRuns"`;
        return row ?? { projectRuns: 0, contextState: null, contextRuns: 0, isStopped: false };
      };
      const first = await count();
      if (first.projectRuns + MOST_STARTS < projectLimit) return first;
      await tx.$executeRaw`
        SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.runQueue}), pg_advisory_xact_lock(${ADVISORY_LOCKS.projectRuns}::int, hashtext(${project}))`;
      return count();
    },

    /** Queues a waiting run, which continues when a process takes it. @returns false when the run no longer waits for this */
    async resume(tx: Tx, id: string, waitingFor: WaitReason): Promise<boolean> {
      const waits = Prisma.sql`id = ${id}::uuid AND state = 'waiting' AND waiting_for = ${waitingFor}`;
      return (await tx.$queryRaw<object[]>(changeState('queued', waits, {}, released))).length > 0;
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

    /** Renews the leases of all runs of a process in one statement. @returns the runs that still belong to the process */
    async renew(worker: string, fences: readonly Fence[]): Promise<Fence[]> {
      return db.prepared<Fence>(
        'renew-runs',
        `UPDATE runs r SET lease_until = now() + interval '${LEASE_MS} milliseconds'
           FROM (SELECT l.id FROM runs l JOIN unnest($2::uuid[], $3::int[]) f (id, attempt) ON l.id = f.id AND l.attempt = f.attempt
                  WHERE l.state = 'running' AND l.worker = $1 ORDER BY l.id FOR UPDATE OF l) held
          WHERE r.id = held.id
          RETURNING r.id AS "runId", r.attempt`,
        [worker, fences.map(({ runId }) => runId), fences.map(({ attempt }) => attempt)],
      );
    },

    /** Gives up one run, so that any process can take it after a pause. */
    async giveUp({ runId, attempt }: Fence): Promise<void> {
      await db.prepared(
        'give-up-run',
        `UPDATE runs SET lease_until = now() + interval '${PAUSE_MS} milliseconds' WHERE id = $1 AND attempt = $2 AND state = 'running'`,
        [runId, attempt],
      );
    },

    /** Gives up the runs of a stopping process, so that another process can take them immediately. */
    async release(worker: string): Promise<void> {
      await db.prepared(
        'release-runs',
        `UPDATE runs SET lease_until = now() - interval '1 millisecond' WHERE state = 'running' AND worker = $1`,
        [worker],
      );
    },

    /** @throws RunLost */
    wait: async (tx: Tx, fence: Fence, waitingFor: WaitReason, data: object = {}): Promise<void> => {
      await changeOwn(tx, 'waiting', fence, { waitingFor, data });
    },

    /** @returns the ids of the descendant runs that ended with the run @throws RunLost */
    end: (tx: Tx, fence: Fence, state: EndState, change: RunChange = {}): Promise<string[]> =>
      changeOwn(tx, state, fence, change),

    /** Ends a run and its descendants from outside the worker, whose next write then fails. @returns the ids of the ended runs */
    async cancel(tx: Tx, id: string, data: object = {}): Promise<string[]> {
      const { ids, below } = await changeReported(tx, 'canceled', Prisma.sql`id = ${id}::uuid`, { data }, released);
      return [...ids, ...below];
    },

    /**
     * Cancels runs of an agent after the run `after`, in the order of their start: the executed runs and, with `all`, also the queued and
     * waiting runs.
     *
     * @returns the ids of the canceled runs, fewer than `limit` when no runs remain, and the ids of their descendants
     */
    cancelNext(
      tx: Tx,
      agent: Omit<Place, 'contextId'>,
      { all, after, limit }: { all: boolean; after: string; limit: number },
    ): Promise<ChangedRuns> {
      const states = Prisma.raw(all ? "('queued', 'running', 'waiting')" : "('running')");
      const change = { data: { reason: 'agent_stopped' } };
      // Runs that started after the agent was released again stay.
      const isStopped = Prisma.sql`AND EXISTS (SELECT FROM agents WHERE id = ${agent.agentId}::uuid AND stopped_at IS NOT NULL)`;
      const condition = all ? isStopped : Prisma.empty;
      return changeReported(tx, 'canceled', ofAgent(agent, states, after, limit, condition), change, released);
    },

    /** Ends runs of an agent that no process executes, after the run `after`: like `cancelNext`, but as failed. */
    failNext(
      tx: Tx,
      agent: Omit<Place, 'contextId'>,
      { error, after, limit }: { error: RunError; after: string; limit: number },
    ): Promise<ChangedRuns> {
      const states = Prisma.raw("('queued', 'waiting')");
      return changeReported(tx, 'failed', ofAgent(agent, states, after, limit), { error }, released);
    },

    /** Lists the stopped or deleted agents with runs that no process executes. The cost is bounded by the number of agents with runs. */
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
            SELECT FROM runs r WHERE r.subject_id = c.subject_id AND ${UNENDED} AND r.state <> 'running' AND r.subject_kind = 'agent')`,
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
     * Adds events of several runs with one statement. Skips the events of runs that this process has lost: followers read the events of
     * the process that took over the run.
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

    /** Finds the run that an earlier attempt of the same request started. Ignores a failed run: its retry starts another run. */
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
