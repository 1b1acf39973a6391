import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of every process that uses the database. */
export const databaseConfig = {
  DATABASE_URL: field.url(['postgresql:', 'postgres:']),
  DATABASE_POOL_MAX: field.integer(1, 500).default(10),
  /** `required` refuses addresses of PostgreSQL and Redis without TLS that verifies the server. */
  DATA_TLS: z.enum(['required', 'optional']).default('optional'),
};

/** Checks the whole configuration: with DATA_TLS=required, DATABASE_URL and REDIS_URL must use TLS. */
export function requireDataTls(
  config: { DATA_TLS: string; DATABASE_URL: string; REDIS_URL?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (config.DATA_TLS !== 'required') return;
  const refuse = (variable: string, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message: `${message}, because DATA_TLS is required` });
  if (new URL(config.DATABASE_URL).searchParams.get('sslmode') !== 'verify-full')
    refuse('DATABASE_URL', 'must have sslmode=verify-full');
  if (config.REDIS_URL !== undefined && new URL(config.REDIS_URL).protocol !== 'rediss:')
    refuse('REDIS_URL', 'must start with rediss://');
}
