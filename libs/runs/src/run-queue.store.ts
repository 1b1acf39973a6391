import { ADVISORY_LOCKS, Prisma, type Database, type Tx } from '@millwright/db';
import { CLAIMED, claimedRun, type ClaimedRow } from './claimed-run.js';
import { changeReported, changeState, fenced, released } from './run-changes.js';
import { LEASE } from './run-leases.store.js';
import type { RunState } from './run-state.js';
import type { ClaimedRun, Fence, RunError } from './run.js';

/**
 * Upper bound of the number of runs that are being started at the same time. Each start uses a connection to the database, and fewer
 * connections than this exist.
 */
const MOST_STARTS = 500;

/**
 * Maximum number of unfinished runs of one conversation, which are executed one after the other. A process that takes
 * runs reads every queued run of a conversation, although only the first one can be taken.
 */
export const MOST_RUNS_OF_CONVERSATION = 100;

/** The state of project, conversation and agent when a new run starts. */
export interface Occupancy {
  /** Number of runs that the project executes. Runs for which other runs wait are not counted. */
  projectRuns: number;
  /**
   * State of the unfinished runs of the conversation: `waiting` when one of them waits, otherwise the state of the
   * earliest run.
   */
  contextState: RunState | null;
  /** Number of the conversation's unfinished runs, counted up to {@link MOST_RUNS_OF_CONVERSATION}. */
  contextRuns: number;
  /** Whether an admin has stopped the agent. A stop that begins later waits for the end of the transaction. */
  isStopped: boolean;
  /** Whether the agent has a row. A deletion that begins later waits for the end of the transaction. */
  exists: boolean;
}

/** Owner and conversation of a new run. */
export interface Place {
  project: string;
  agentId: string;
  contextId: string;
}

/** A run of a prompt or a model whose process has not renewed its lease. */
export interface LapsedRun extends Fence {
  /** End of the lease, in the text form of the database. */
  leaseUntil: string;
}

/** SQL condition that the run `r` waits for its child runs, and that all of them have ended. */
const CHILDREN_ENDED = `state = 'waiting' AND waiting_for = 'child' AND NOT EXISTS (
  SELECT FROM runs c WHERE c.parent_id = r.id AND c.state IN ('queued', 'running', 'waiting'))`;

/** Whether runs without a parent (`roots`) and child runs (`children`) wait for a process that can execute them. */
export interface WaitingForWorker {
  roots: boolean;
  children: boolean;
}

export const UNENDED = "state IN ('queued', 'running', 'waiting')";
const LAPSED = Prisma.sql`state = 'running' AND lease_until < now()`;

/** Data of the event for a run that another process had started before. */
const TAKEN_OVER = { taken_over: true };

/** Selects the runs that fulfil the condition, except runs locked by another transaction. */
const next = (condition: Prisma.Sql, limit: number): Prisma.Sql => Prisma.sql`id = ANY(ARRAY(
  SELECT id FROM runs r WHERE ${condition} ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;

/**
 * Columns of a run that a process takes. `started_at` is the time of the statement, because the transaction may have
 * waited for the end of the previous run.
 */
const taken = (
  worker: string,
) => Prisma.sql`, attempt = attempt + 1, worker = ${worker}::uuid, lease_until = now() + ${LEASE},
  started_at = coalesce(started_at, clock_timestamp())`;

async function claim(tx: Tx, worker: string, condition: Prisma.Sql, data: object = {}): Promise<ClaimedRun[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>(changeState('running', condition, { data }, taken(worker)));
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const claimed = await tx.$queryRaw<ClaimedRow[]>`
    SELECT ${CLAIMED} FROM runs WHERE id = ANY(${ids}::uuid[]) ORDER BY id`;
  return claimed.map(claimedRun);
}

/** The runs that processes take: queued runs, and runs whose process has not renewed its lease. */
export function createRunQueue(db: Database) {
  return {
    /** Takes those of the given runs that are still queued. @returns the taken runs */
    takeQueued: (tx: Tx, worker: string, ids: readonly string[]): Promise<ClaimedRun[]> =>
      claim(tx, worker, Prisma.sql`id = ANY(${[...ids]}::uuid[]) AND state = 'queued'`),

    /** Takes at most `limit` runs whose process has not renewed its lease, except runs that other processes are taking. */
    takeLapsed: (tx: Tx, worker: string, limit: number): Promise<ClaimedRun[]> =>
      claim(tx, worker, next(Prisma.sql`${LAPSED} AND subject_kind = 'agent' AND depth = 0`, limit), TAKEN_OVER),

    /** Takes child runs, for which their parents wait: queued runs, and runs whose process has not renewed its lease. */
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

    /** Continues the runs that wait for child runs when all their child runs have ended. */
    async resumeParents(tx: Tx, limit: number): Promise<void> {
      await tx.$queryRaw(changeState('queued', next(Prisma.raw(CHILDREN_ENDED), limit), {}, released));
    },

    /**
     * Whether there are runs that a process could take now. `roots`: runs without a parent, each of which needs a
     * place. `children`: child runs, and parents whose child runs have all ended.
     */
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
     * Takes queued runs, from the projects in turn. A run is not taken while its conversation has a running or waiting run or an earlier
     * queued run; a run that has begun counts as the earliest, whatever its id is. A run is also not taken while its project already
     * executes `projectLimit` runs. Only one process takes runs at a time. The runs of each project are counted only once, even when many
     * runs are queued.
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
               SELECT FROM runs e WHERE e.context_id = q.context_id AND e.id <> q.id AND e.state IN ('queued', 'running', 'waiting')
                  AND (e.state <> 'queued' OR (e.attempt = 0, e.id) < (q.attempt = 0, q.id)))
             ORDER BY q.id LIMIT ${limit}::int) next) first
         WHERE first.place + p.running <= ${projectLimit}::int ORDER BY first.place, first.id LIMIT ${limit}::int`;
      return claim(tx, worker, Prisma.sql`id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND state = 'queued'`);
    },

    /**
     * Reads the state in which a new run of a conversation starts: the state of its unfinished runs, if any, the number of runs that
     * the project executes, and whether the agent is stopped or deleted. A stop or a deletion of the agent waits for this transaction.
     * Near `projectLimit` the project's runs start one at a time, so that the limit is exact.
     */
    async occupancy(tx: Tx, { project, agentId, contextId }: Place, projectLimit: number): Promise<Occupancy> {
      const count = async () => {
        const [row] = await tx.$queryRaw<Occupancy[]>`
          WITH agent AS MATERIALIZED (SELECT stopped_at FROM agents WHERE id = ${agentId}::uuid FOR KEY SHARE)
          SELECT EXISTS (SELECT FROM agent WHERE stopped_at IS NOT NULL) AS "isStopped", EXISTS (SELECT FROM agent) AS exists,
                 (SELECT count(*) FROM runs WHERE project = ${project} AND state = 'running' AND depth = 0 AND subject_kind = 'agent')::int AS "projectRuns",
                 (SELECT state FROM runs WHERE context_id = ${contextId}::uuid AND state IN ('queued', 'running', 'waiting')
                   ORDER BY state <> 'waiting', id LIMIT 1) AS "contextState",
                 (SELECT count(*) FROM (SELECT FROM runs WHERE context_id = ${contextId}::uuid AND state IN ('queued', 'running', 'waiting')
                   LIMIT ${MOST_RUNS_OF_CONVERSATION}) own)::int AS "contextRuns"`;
        return row ?? { projectRuns: 0, contextState: null, contextRuns: 0, isStopped: false, exists: false };
      };
      const first = await count();
      if (first.projectRuns + MOST_STARTS < projectLimit) return first;
      await tx.$executeRaw`
        SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.runQueue}), pg_advisory_xact_lock(${ADVISORY_LOCKS.projectRuns}::int, hashtext(${project}))`;
      return count();
    },
  };
}
