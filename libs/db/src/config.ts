import { field } from '@millwright/config';
import { z } from 'zod';
import { limitSession } from './limit-session.js';

/** Settings of every process that uses the database. */
export const databaseConfig = {
  DATABASE_URL: field.url(['postgresql:', 'postgres:']),
  /**
   * The direct address of PostgreSQL, for installations whose DATABASE_URL leads to a pooler that assigns connections for one transaction
   * each (PgBouncer). Notifications, scheduled jobs and migrations use this address, because they need a session that no other client uses.
   */
  DATABASE_DIRECT_URL: field.url(['postgresql:', 'postgres:']).optional(),
  /** A streaming replica of the database, on which lists, searches and reports run. */
  DATABASE_REPLICA_URL: field.url(['postgresql:', 'postgres:']).optional(),
  DATABASE_POOL_MAX: field.integer(1, 500).default(10),
  /** `required`: the connections to PostgreSQL and Redis must use TLS and must verify the server. */
  DATA_TLS: z.enum(['required', 'optional']).default('optional'),
};

interface Addresses {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_REPLICA_URL?: string | undefined;
}

/**
 * Returns the address of PostgreSQL for a connection outside the pool. The server closes such a connection when the
 * machine of the client is lost.
 */
export const directUrl = (config: Addresses): string => limitSession(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL);

/** Whether DATABASE_URL leads to a pooler. */
export const isPooled = (config: Addresses): boolean => config.DATABASE_DIRECT_URL !== undefined;

/** Checks the whole configuration: with DATA_TLS=required, the addresses of PostgreSQL and Redis must require TLS. */
export function requireDataTls(
  config: Addresses & { DATA_TLS: string; REDIS_URL?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (config.DATA_TLS !== 'required') return;
  const refuse = (variable: string, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message: `${message}, because DATA_TLS is required` });
  for (const variable of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    const url = config[variable];
    if (url !== undefined && new URL(url).searchParams.get('sslmode') !== 'verify-full')
      refuse(variable, 'must have sslmode=verify-full');
  }
  if (config.REDIS_URL !== undefined && !/^rediss[:+]/.test(config.REDIS_URL))
    refuse('REDIS_URL', 'must start with rediss://, rediss+sentinel:// or rediss+cluster://');
}
