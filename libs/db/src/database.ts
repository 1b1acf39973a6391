import { isTracing } from '@millwright/telemetry';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient, type Prisma } from './generated/client.js';
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
  /** Why the database cannot serve this build, or `undefined` when it can and half the pool is connected. A newer schema is fine: changes are expand first. */
  notReady(): Promise<string | undefined>;
  poolState(): PoolState;
  close(): Promise<void>;
}

const ACQUIRE_TIMEOUT_MS = 1_000;
/** A frozen server must not hold a request: acquire + query stay below 3 s. */
const QUERY_TIMEOUT_MS = 1_900;

/** One `pg` pool under Prisma and under prepared statements alike. Connects on first use. */
export function createDatabase({
  url,
  poolMax,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
  onIdleError,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  pool.on('error', (error) => onIdleError?.(error));
  if (isTracing()) tracePool(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: acquireTimeoutMs, timeout: 2 * QUERY_TIMEOUT_MS },
  });
  const wanted = newestMigration();
  let connectedAhead = false;

  return {
    prisma,
    async prepared<Row extends object>(name: string, text: string, values: readonly unknown[]) {
      const result = await pool.query<Row>({ name, text, values: [...values] });
      return result.rows;
    },
    transaction: (work) => prisma.$transaction(work),
    notReady: async () => {
      try {
        const reason = await schemaState(pool, wanted);
        if (reason === undefined && !connectedAhead) {
          await connectAhead(pool, Math.ceil(poolMax / 2));
          connectedAhead = true;
        }
        return reason;
      } catch {
        return 'the database does not answer';
      }
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/** So that the first requests of a new process find connections, where a busy server takes a second to open one. */
async function connectAhead(pool: pg.Pool, count: number): Promise<void> {
  const attempts = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()));
  for (const attempt of attempts) if (attempt.status === 'fulfilled') attempt.value.release();
  const failed = attempts.find((attempt) => attempt.status === 'rejected');
  if (failed) throw failed.reason;
}
