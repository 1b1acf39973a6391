import { telemetryEvents } from '@millwright/telemetry';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startDeadline } from './deadline.js';
import { isDatabaseFailure, isStatementTimeout, READ_TIMEOUT } from './failures.js';
import type { Pool } from './pool.js';

/** Runs a prepared statement; see `Database.prepared`. */
export type Prepared = <Row extends object>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;

export interface Replica {
  /**
   * A read that sees every change that was committed before the read began. It runs on the replica, or on the primary
   * when the replica is behind.
   */
  prepared: Prepared;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  primary: Pool;
  replica: Pool;
  /** The same statement on the primary. */
  onPrimary: Prepared;
  /** Whether `replica` leads to a pooler that assigns connections for one transaction each. */
  pooled: boolean;
}

/**
 * Maximum time, in milliseconds, that a read waits for a connection to the replica. It then waits at most the same time again until the
 * replica has applied the commits of the primary.
 */
export const REPLICA_WAIT_MS = 100;
const POLL_MS = 3;
/**
 * A replica that was behind or failed is checked after this time, and then at intervals that double. Until a check
 * succeeds, the primary answers.
 */
const FIRST_CHECK_MS = 50;
const LAST_CHECK_MS = 1_000;

/**
 * End of the write-ahead log as a number of bytes. Only the part on disk counts, which contains every acknowledged commit; with
 * `synchronous_commit = off`, commits are acknowledged earlier. A position directly after the header of a page means the same as the end of
 * the previous page, which is the position that the replica reports.
 */
const END_OF_LOG = `SELECT (position - CASE WHEN position % 8192 <= 40 THEN position % 8192 ELSE 0 END)::text AS position
  FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
               ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn AS position) log`;
/** Position up to which the replica has applied the log; null on a server that is no replica. */
const APPLIED = `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text END AS position`;
const IDENTITY = `SELECT system_identifier::text || ' ' || current_database() AS identity FROM pg_control_system()`;

/**
 * Sends reads to a streaming replica that has applied every change of the primary. A read waits at most twice
 * REPLICA_WAIT_MS. When the replica fails or is behind, all reads go to the primary until a check finds the replica up
 * to date.
 */
export function createReplica({ primary, replica, onPrimary, pooled }: ReplicaOptions): Replica {
  const endOfLog = shareNext(async () => {
    const { rows } = await primary.query<{ position: string }>(named('end-of-log', END_OF_LOG));
    return BigInt(rows[0]?.position ?? 0);
  });
  let isUsable = false;
  let isClosed = false;
  let checking: NodeJS.Timeout | undefined;

  function named(name: string, text: string, values: readonly unknown[] = []): pg.QueryConfig {
    return { ...(!pooled && { name }), text, values: [...values] };
  }

  /** Sends reads to the primary until a check succeeds. */
  function pause(delayMs = FIRST_CHECK_MS): void {
    isUsable = false;
    if (isClosed) return;
    clearTimeout(checking);
    checking = setTimeout(() => {
      void check().then((isCurrent) => {
        isUsable = isCurrent;
        if (!isCurrent) pause(Math.min(2 * delayMs, LAST_CHECK_MS));
      });
    }, delayMs).unref();
  }

  /** Whether the replica belongs to this database and is up to date. */
  async function check(): Promise<boolean> {
    try {
      const [own, other] = await Promise.all([primary.query(IDENTITY), replica.query(IDENTITY)]);
      if ((own.rows[0] as Identity).identity !== (other.rows[0] as Identity).identity) return false;
      const target = await endOfLog();
      return (await onReplica(target, () => Promise.resolve(true))) ?? false;
    } catch {
      return false;
    }
  }

  /** Runs `work` on a connection that has applied the log up to `target`; undefined when no connection applies the log in time. */
  async function onReplica<Result>(
    target: bigint,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result | undefined> {
    const client = await replica.connect();
    let failure: Error | undefined;
    const wait = { isOver: false, isAsking: false };
    const callOff = startDeadline(REPLICA_WAIT_MS, () => {
      wait.isOver = true;
      // Rejects a query that the server does not answer.
      if (wait.isAsking) client.connection.stream.destroy((failure = new Error(READ_TIMEOUT)));
    });
    try {
      while (!wait.isOver) {
        wait.isAsking = true;
        const { rows } = await client.query<{ position: string | null }>(named('applied-log', APPLIED));
        wait.isAsking = false;
        const position = rows[0]?.position ?? undefined;
        if (position === undefined) return undefined;
        if (BigInt(position) >= target) {
          callOff();
          return await work(client);
        }
        await sleep(POLL_MS);
      }
      return undefined;
    } catch (error) {
      if (wait.isOver) return undefined;
      if (isDatabaseFailure(error)) failure = error as Error;
      throw error;
    } finally {
      callOff();
      client.release(failure);
    }
  }

  async function read<Row extends object>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[] | undefined> {
    const target = await endOfLog();
    try {
      const rows = await onReplica(target, async (client) => (await client.query<Row>(named(name, text, values))).rows);
      if (rows === undefined) telemetryEvents.replicaRead.record({ outcome: 'behind' });
      return rows;
    } catch (error) {
      // A statement that is too slow on the replica is not repeated, because it would be too slow on the primary as well.
      if (!isDatabaseFailure(error) || isStatementTimeout(error)) throw error;
      telemetryEvents.replicaRead.record({ outcome: 'failed' });
      return undefined;
    }
  }

  pause();
  return {
    async prepared(name, text, values) {
      if (!isUsable) {
        telemetryEvents.replicaRead.record({ outcome: 'paused' });
        return onPrimary(name, text, values);
      }
      const rows = await read<never>(name, text, values);
      if (rows === undefined) {
        pause();
        return onPrimary(name, text, values);
      }
      telemetryEvents.replicaRead.record({ outcome: 'answered' });
      return rows;
    },
    async close() {
      isClosed = true;
      clearTimeout(checking);
      if (!replica.ended) await replica.end();
    },
  };
}

interface Identity {
  identity: string;
}

/**
 * Makes one call of `ask` for all callers that wait. A caller never gets the result of a call that began before the
 * caller asked.
 */
function shareNext<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Result> | undefined;
  const start = () => {
    next = undefined;
    const answer = ask();
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    running = ended;
    void ended.then(() => {
      if (running === ended) running = undefined;
    });
    return answer;
  };
  return () => (running === undefined ? start() : (next ??= running.then(start)));
}
