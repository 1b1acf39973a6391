import { Pool } from './pool.js';

export interface DirectPoolOptions {
  /** Address of PostgreSQL itself, not of a pooler. */
  url: string;
  max: number;
  applicationName: string;
  /** Called for a connection that fails while it is idle. The pool replaces the connection. */
  onError: (error: unknown) => void;
}

export interface DirectPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  end(): Promise<void>;
}

const ACQUIRE_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Creates a pool of direct connections, in addition to the pool that requests use. It has the same time limits for a lost machine and for a
 * server that does not answer.
 */
export function createDirectPool({ url, max, applicationName, onError }: DirectPoolOptions): DirectPool {
  const limits = { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS, queryTimeoutMs: QUERY_TIMEOUT_MS };
  const pool = new Pool({ url, max, applicationName, ...limits });
  pool.on('error', onError);
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}
