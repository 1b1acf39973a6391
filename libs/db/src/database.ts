import { isTracing } from '@millwright/telemetry';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient, type Prisma } from './generated/client.js';
import { startDeadline } from './deadline.js';
import { Pool } from './pool.js';
import { newestMigration, schemaState } from './schema-state.js';
import { tracePool } from './trace-pool.js';

/** A transaction: every change goes through one, together with its audit row and its counters. */
export type Tx = Prisma.TransactionClient;

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  /** How long a request waits for a free connection before it is answered 503. */
  acquireTimeoutMs?: number;
  /** Told of connections that fail while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
}

export interface Database {
  /** Ordinary reads outside a transaction. */
  readonly prisma: PrismaClient;
  /**
   * One prepared statement on the same pool, for the paths every request takes. `name` identifies the text: one name, one text.
   */
  prepared<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Commits when `work` resolves, rolls back when it rejects. Nothing may be acknowledged before this resolves. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Why the database cannot serve this build, or `undefined` when it can, the pool is connected and a transaction was made on it. A newer schema is fine: changes are expand first. */
  notReady(): Promise<string | undefined>;
  poolState(): PoolState;
  close(): Promise<void>;
}

const ACQUIRE_TIMEOUT_MS = 1_000;
/** A frozen server must not hold a request: acquire + query stay below 3 s. */
const QUERY_TIMEOUT_MS = 1_900;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A transaction holds what others wait for. */
const TRANSACTION_TIMEOUT_MS = 2 * QUERY_TIMEOUT_MS;
/** Prisma's own clocks come last: they count the time in which this process stands still, as a new one does on a busy machine. */
const PRISMA_TIMEOUT_MS = 30_000;

/** One `pg` pool under Prisma and under prepared statements alike. Connects on first use. */
export function createDatabase({
  url,
  poolMax,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
  onIdleError,
}: DatabaseOptions): Database {
  const pool = new Pool({ url, max: poolMax, acquireTimeoutMs, queryTimeoutMs: QUERY_TIMEOUT_MS });
  pool.on('error', (error) => onIdleError?.(error));
  if (isTracing()) tracePool(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: PRISMA_TIMEOUT_MS, timeout: PRISMA_TIMEOUT_MS },
  });
  const wanted = newestMigration();
  let preparing: Promise<void> | undefined;

  /** So that the first requests of a new process find connected and loaded what they need, on a busy machine as well. */
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

  return {
    prisma,
    async prepared<Row extends object>(name: string, text: string, values: readonly unknown[]) {
      const result = await pool.query<Row>({ name, text, values: [...values] });
      return result.rows;
    },
    transaction: (work) => prisma.$transaction((tx) => inTime(TRANSACTION_TIMEOUT_MS, work(tx))),
    notReady: async () => {
      try {
        const reason = await schemaState(pool, wanted);
        if (reason === undefined) await prepareOnce();
        return reason;
      } catch {
        return 'the database does not answer';
      }
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.queued }),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/** @throws Error when `work` takes longer; Prisma then rolls back, and refuses what else is asked in the transaction. */
function inTime<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const callOff = startDeadline(milliseconds, () => reject(new Error('transaction timeout exceeded')));
    void work.then(resolve, reject).finally(callOff);
  });
}
