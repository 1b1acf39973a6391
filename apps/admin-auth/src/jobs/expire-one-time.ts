import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/** Used rows are kept for a day, so that a second use can be distinguished from an unknown value. */
const A_DAY_AGO = "expires_at < now() - interval '1 day'";

/** Conditions of expired rows by table, ordered so that referring rows are deleted first. */
const EXPIRED = {
  // Anyone can begin any number of sign-ins. A second answer is refused as an expired one is.
  webauthn_ceremonies: 'expires_at < now()',
  setup_tokens: `${A_DAY_AGO} AND NOT EXISTS (SELECT FROM webauthn_ceremonies c WHERE c.setup_token_id = expired.id)`,
  console_codes: A_DAY_AGO,
  magic_link_tokens: A_DAY_AGO,
  device_link_codes: A_DAY_AGO,
  device_nonces: A_DAY_AGO,
  session_refresh_tokens: A_DAY_AGO,
  oauth_refresh_tokens: A_DAY_AGO,
  // As for ceremonies: anyone can also answer what they began.
  sso_requests: 'expires_at < now()',
  sso_logout_tokens: 'expires_at < now()',
  oauth_used_assertions: 'expires_at < now()',
  mcp_connection_requests: A_DAY_AGO,
  // Deleted with their codes. Undecided requests go once they have expired, because anyone can begin any number of them.
  oauth_authorizations: `(${A_DAY_AGO} OR decided_at IS NULL AND expires_at < now())`,
  // A grant expires after its refresh tokens. Grants of an earlier release have no expiry.
  oauth_grants: `(${A_DAY_AGO} OR (expires_at IS NULL AND created_at < now() - interval '31 days'))
    AND NOT EXISTS (SELECT FROM oauth_refresh_tokens t WHERE t.grant_id = expired.id)`,
  // Of clients, only self-registered ones without a consent. A document is read again at its next use.
  oauth_clients: `(kind = 'registered' AND expires_at < now() OR kind = 'document' AND created_at < now() - interval '1 hour')
    AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = expired.id)
    AND NOT EXISTS (SELECT FROM oauth_consents c WHERE c.client_id = expired.id)
    AND NOT EXISTS (SELECT FROM oauth_authorizations a WHERE a.client_id = expired.id AND a.expires_at > now())`,
  // Of tasks that ended, or whose process died, without having deleted them.
  task_chunks: `NOT EXISTS (SELECT FROM tasks t WHERE t.id = expired.task_id AND t.state = 'working'
    AND t.lease_until > now() - interval '1 hour')`,
  tasks: "status_at < now() - interval '30 days'", // the contexts that they led to stay
  // Past periods of budgets; that of a total lasts.
  budget_windows: "starts_on < now() - interval '400 days' AND starts_on > date '1970-01-01'",
  // The audit log keeps what was decided.
  platform_admin_requests: "outcome IS NOT NULL AND expires_at < now() - interval '90 days'",
  account_notices: "created_at < now() - interval '3 days'", // that could not be sent
  // The latest run of each job stays: it contains what was due last.
  job_runs: `finished_at IS NOT NULL AND tick < now() - interval '90 days'
    AND EXISTS (SELECT FROM job_runs later WHERE later.job = expired.job AND later.tick > expired.tick)`,
  idempotency_keys: 'expires_at < now() AND lease_until < now()',
  magic_link_requests: "(SELECT max(time) FROM unnest(times) time) < now() - interval '15 minutes'",
} as const;

/**
 * Deletes expired one-time tokens, codes, ceremonies, refresh tokens with their grants, tasks of agents and stored answers. Sessions, keys
 * and the clients of users are only marked, never deleted.
 * @returns the number of deleted rows by table.
 * @throws a table's failure, after every other table was cleaned.
 */
export async function expireOneTime(step: Step): Promise<Record<keyof typeof EXPIRED, number>> {
  const counts: Partial<Record<string, number>> = {};
  const failures: unknown[] = [];
  for (const [table, expired] of Object.entries(EXPIRED)) {
    await deleteInSteps(step, deletion(table, expired)).then(
      (count) => (counts[table] = count),
      (error: unknown) => failures.push(error),
    );
  }
  // The last failure, because after another process has taken the run over every further step fails.
  if (failures.length > 0) throw failures.at(-1);
  return counts as Record<keyof typeof EXPIRED, number>;
}

/** Skips rows that another transaction has locked. */
const deletion = (table: string, expired: string) => (limit: number) => Prisma.sql`
  DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${Prisma.raw(table)} expired WHERE ${Prisma.raw(expired)} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
