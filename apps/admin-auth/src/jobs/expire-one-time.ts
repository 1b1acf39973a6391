import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/** Rows are deleted only a day after their expiry, so that the reuse of a value can be distinguished from an unknown value. */
const A_DAY_AGO = "expires_at < now() - interval '1 day'";

/** SQL conditions of expired rows, by table. Tables whose rows refer to other rows come before the tables with those rows. */
const EXPIRED = {
  // Ceremonies are deleted as soon as they expire, because anyone can start any number of sign-ins. A passkey response that is sent again later
  // is refused like one to an expired ceremony.
  webauthn_ceremonies: 'expires_at < now()',
  setup_tokens: `${A_DAY_AGO} AND NOT EXISTS (SELECT FROM webauthn_ceremonies c WHERE c.setup_token_id = expired.id)`,
  console_codes: A_DAY_AGO,
  magic_link_tokens: A_DAY_AGO,
  device_link_codes: A_DAY_AGO,
  device_nonces: A_DAY_AGO,
  session_refresh_tokens: A_DAY_AGO,
  oauth_refresh_tokens: A_DAY_AGO,
  // Requests are deleted at expiry, like ceremonies, because anyone can start any number of requests and answer them.
  sso_requests: 'expires_at < now()',
  sso_logout_tokens: 'expires_at < now()',
  oauth_used_assertions: 'expires_at < now()',
  mcp_connection_requests: A_DAY_AGO,
  // MCP calls that wait for their client, and that the client has not continued. Later calls of any client also delete such rows.
  mcp_waiting_calls: "used_at < now() - interval '1 hour'",
  // Requests are deleted with their codes. Undecided requests are deleted at expiry, because anyone can start any number of requests.
  oauth_authorizations: `(${A_DAY_AGO} OR decided_at IS NULL AND expires_at < now())`,
  // A grant expires after its refresh tokens. Grants of an earlier release have no expiry.
  oauth_grants: `(${A_DAY_AGO} OR (expires_at IS NULL AND created_at < now() - interval '31 days'))
    AND NOT EXISTS (SELECT FROM oauth_refresh_tokens t WHERE t.grant_id = expired.id)`,
  // Clients that are deleted: only self-registered clients without a consent, and cached client documents, which are read again at their
  // next use.
  oauth_clients: `(kind = 'registered' AND expires_at < now() OR kind = 'document' AND created_at < now() - interval '1 hour')
    AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = expired.id)
    AND NOT EXISTS (SELECT FROM oauth_consents c WHERE c.client_id = expired.id)
    AND NOT EXISTS (SELECT FROM oauth_authorizations a WHERE a.client_id = expired.id AND a.expires_at > now())`,
  // Chunks of tasks that are over, or whose process died.
  task_chunks: `NOT EXISTS (SELECT FROM tasks t WHERE t.id = expired.task_id AND t.state = 'working'
    AND t.lease_until > now() - interval '1 hour')`,
  tasks: "status_at < now() - interval '30 days'", // deletes only tasks; their conversations are kept
  // Windows of budgets that are long past. The window of a total budget never ends, and starts in 1970.
  budget_windows: "starts_on < now() - interval '400 days' AND starts_on > date '1970-01-01'",
  // The decisions about these requests stay in the audit log.
  platform_admin_requests: "outcome IS NOT NULL AND expires_at < now() - interval '90 days'",
  account_notices: "created_at < now() - interval '3 days'", // notices that could not be sent
  // The latest run of each job is kept: it records the last scheduled time.
  job_runs: `finished_at IS NOT NULL AND tick < now() - interval '90 days'
    AND EXISTS (SELECT FROM job_runs later WHERE later.job = expired.job AND later.tick > expired.tick)`,
  idempotency_keys: 'expires_at < now() AND lease_until < now()',
  magic_link_requests: "(SELECT max(time) FROM unnest(times) time) < now() - interval '15 minutes'",
} as const;

/**
 * Deletes expired one-time tokens, codes, ceremonies, refresh tokens and their grants, as well as expired tasks of agents and stored
 * answers. Sessions, keys and the clients of users are never deleted, only marked.
 * @returns the number of deleted rows by table.
 * @throws the failure of a table, after all other tables were cleaned.
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
  // Throw the last failure: when another process has taken the run over, all further steps fail for that reason.
  if (failures.length > 0) throw failures.at(-1);
  return counts as Record<keyof typeof EXPIRED, number>;
}

/** Makes a statement that deletes expired rows, and skips rows that another transaction has locked. */
const deletion = (table: string, expired: string) => (limit: number) => Prisma.sql`
  DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${Prisma.raw(table)} expired WHERE ${Prisma.raw(expired)} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
