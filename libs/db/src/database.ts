import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@millwright/errors';
import { isTracing, telemetryEvents } from '@millwright/telemetry';
import { PrismaClient } from './generated/client.js';
import { startDeadline } from './deadline.js';
import { causeOf } from './failures.js';
import { JoiningAdapter } from './joining-adapter.js';
import { createLane, type Lane } from './lane.js';
import { Pool } from './pool.js';
import { quotaError, quotaRefusal } from './quota.js';
import { RawStatements } from './raw-statements.js';
import { createReplica, REPLICA_WAIT_MS, type Prepared } from './replica.js';
import { missingLimits, newestMigration, schemaState, unexpectedPooler } from './schema-state.js';
import { createStatementNames } from './statement-names.js';
import { tracePool } from './trace-pool.js';
import { runTransaction, type Tx } from './transaction.js';
import { unknownProject } from './unknown-project.js';

export type { Tx };

export interface DatabaseOptions {
  url: string;
  /** Whether `url` leads to a pooler that assigns connections of the server for one transaction each, such as PgBouncer. */
  pooled?: boolean | undefined;
  /** A streaming replica of the database, for `reads`. */
  replicaUrl?: string | undefined;
  poolMax: number;
  /** Maximum wait for a free connection, in milliseconds. After this time the answer is 503. */
  acquireTimeoutMs?: number;
  /** Called for a connection that fails while it is idle. The pool replaces the connection. */
  onIdleError?: (error: Error) => void;
  /**
   * Whether use of the pool within a transaction is refused, for tests. A transaction that uses the pool keeps one connection while it
   * waits for a second one, so that concurrent transactions can deadlock.
   */
  refusesNesting?: boolean;
}

/** Client for raw statements, within or outside of a transaction. */
export type RawClient = Pick<Tx, '$queryRaw' | '$executeRaw'>;

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
}

export interface Database {
  /** Client for reads outside of transactions. */
  readonly prisma: PrismaClient;
  /** Runs a prepared statement on the same pool, for statements that every request sends. Each `name` must always have the same text. */
  prepared<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Raw statements that are composed with `Prisma.sql`; each is a separate transaction. */
  readonly raw: RawClient;
  /**
   * Runs prepared statements like `prepared`, for lists, searches and reports. With a replica, the statements run on
   * the replica, as soon as it has applied every change that was committed before the read began.
   */
  readonly reads: Pick<Database, 'prepared'>;
  /**
   * Runs prepared statements like `reads`, for statements of a project that read or return much. They use at most a
   * third of the connections per project, so that neither other projects nor other requests of the project wait for
   * them.
   */
  expensive(project: string): Pick<Database, 'prepared'>;
  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it rejects. Acknowledge
   * a change only after this promise resolves.
   *
   * @throws AppError quota_exceeded, quota_too_small when the project would exceed its quota; otherwise the original failure.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Returns the reason why the database cannot serve this build, or `undefined` when it can. When it can, all connections of the pool are
   * open, and a transaction has succeeded. A schema newer than this build is accepted, because migrations only expand the schema.
   */
  notReady(): Promise<string | undefined>;
  poolState(): PoolState;
  /**
   * Closes idle connections and keeps none from now on. Call this in a process that only finishes its last requests.
   */
  releaseIdle(): void;
  close(): Promise<void>;
}

const ACQUIRE_TIMEOUT_MS = 1_000;
/**
 * Time limit of a query. Together with the wait for a connection it stays below 3 s, even when the server is frozen.
 */
const QUERY_TIMEOUT_MS = 1_900;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Maximum share of the connections for expensive statements of one project. */
const EXPENSIVE_SHARE = 1 / 3;
/** Maximum wait of an expensive statement for a connection: longer than two preceding statements may take. */
const EXPENSIVE_WAIT_MS = 2 * QUERY_TIMEOUT_MS;
/** Time limit of a transaction. A transaction holds locks for which other transactions wait. */
const TRANSACTION_TIMEOUT_MS = 2 * QUERY_TIMEOUT_MS;
/**
 * Timeout of Prisma itself, long enough never to expire first. It also counts the time in which this process is blocked, which is common
 * for a new process on a busy machine.
 */
const PRISMA_TIMEOUT_MS = 30_000;

/** Creates one `pg` pool that Prisma and the prepared statements share. It connects at its first use. */
export function createDatabase({
  url,
  pooled = false,
  replicaUrl,
  poolMax,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
  onIdleError,
  refusesNesting = false,
}: DatabaseOptions): Database {
  const within = new AsyncLocalStorage<true>();
  const requireOutside = () => {
    if (refusesNesting && within.getStore()) throw new Error('the pool is used within a transaction: pass its tx');
  };
  const openPool = (address: string, waitMs: number) => {
    const limits = { acquireTimeoutMs: waitMs, queryTimeoutMs: QUERY_TIMEOUT_MS };
    const opened = new Pool({ url: address, pooled, max: poolMax, ...limits });
    opened.on('error', (error) => onIdleError?.(error));
    if (isTracing()) tracePool(opened);
    return opened;
  };
  const pool = openPool(url, acquireTimeoutMs);
  // A named statement exists in only one session of the server, and a pooler may assign another session to the next transaction.
  const names = createStatementNames(pooled ? 0 : undefined);
  const adapter = new JoiningAdapter(pool, { statementNameGenerator: ({ sql }) => names.of(sql) ?? '' });
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: PRISMA_TIMEOUT_MS, timeout: PRISMA_TIMEOUT_MS },
  });
  const wanted = newestMigration();
  let preparing: Promise<void> | undefined;

  /**
   * Opens all connections and loads the client in advance, so that the first requests of a new process do not wait for
   * them.
   */
  async function prepare(): Promise<void> {
    await pool.connectAhead();
    await prisma.$transaction((tx) => tx.user.findUnique({ where: { id: NO_ID }, select: { id: true } }));
  }

  function prepareOnce(): Promise<void> {
    preparing ??= prepare().catch((error: unknown) => {
      preparing = undefined;
      throw error;
    });
    return preparing;
  }

  let isDirect = false;
  /**
   * Returns the reason why the address leads to a pooler, if it does. After one successful check it is not checked again, because an
   * address leads to the same server for as long as a process runs.
   */
  async function notDirect(): Promise<string | undefined> {
    const reason = isDirect ? undefined : await unexpectedPooler(pool);
    isDirect = reason === undefined;
    return reason;
  }

  const prepared: Prepared = async <Row extends object>(name: string, text: string, values: readonly unknown[]) => {
    requireOutside();
    const result = await pool.query<Row>({ ...(!pooled && { name }), text, values: [...values] });
    return result.rows;
  };
  const raw = new RawStatements(names, async (query) => {
    requireOutside();
    return pool.query<object>(query).catch(refuseOfTriggers);
  });
  const replica =
    replicaUrl === undefined
      ? undefined
      : createReplica({ primary: pool, replica: openPool(replicaUrl, REPLICA_WAIT_MS), onPrimary: prepared, pooled });
  const reads: Pick<Database, 'prepared'> = replica ?? { prepared };
  const lanes = new Map<string, Lane>();
  const laneOf = (project: string) => {
    const known = lanes.get(project);
    if (known) return known;
    const lane = createLane(Math.max(1, Math.floor(poolMax * EXPENSIVE_SHARE)), EXPENSIVE_WAIT_MS);
    lanes.set(project, lane);
    return lane;
  };

  return {
    get prisma() {
      requireOutside();
      return prisma;
    },
    prepared,
    raw: raw as unknown as RawClient,
    reads,
    expensive: (project) => ({
      prepared: (name, text, values) => laneOf(project).run(() => reads.prepared(name, text, values)),
    }),
    async transaction(work) {
      requireOutside();
      const limited = (tx: Tx) =>
        inTime(TRANSACTION_TIMEOUT_MS, refusesNesting ? within.run(true, work, tx) : work(tx));
      return runTransaction(pool, { prisma, adapter, names }, limited).catch(refuseOfTriggers);
    },
    notReady: async () => {
      try {
        const reason = (await schemaState(pool, wanted)) ?? (await (pooled ? missingLimits(pool) : notDirect()));
        if (reason === undefined) await prepareOnce();
        return reason;
      } catch (error) {
        return `the database does not answer (${causeOf(error)})`;
      }
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.queued }),
    releaseIdle: () => pool.shrink(),
    close: async () => {
      await replica?.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/**
 * Throws the error for a failure that a trigger of the schema has raised.
 * @throws AppError quota_exceeded or quota_too_small for a refused quota, validation_error for a project that does not
 * exist; otherwise the failure itself.
 */
function refuseOfTriggers(error: unknown): never {
  const refusal = error instanceof AppError ? undefined : quotaRefusal(error);
  if (refusal === undefined) throw unknownProject(error);
  telemetryEvents.quotaRefusal.record(refusal);
  throw quotaError(refusal);
}

/** Waits for `work`. @throws Error when `work` takes longer. */
function inTime<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const callOff = startDeadline(milliseconds, () => reject(new Error('transaction timeout exceeded')));
    void work.then(resolve, reject).finally(callOff);
  });
}
