import type { Tx } from '@millwright/db';

/** Runs `work` in a transaction of its own. */
type Step = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const BATCH = 2_000;

/** Kept for a day: so long, a second use is told from the use of something that never was. */
const A_DAY_AGO = "expires_at < now() - interval '1 day'";

/** What is past its life, by table, in an order in which nothing is deleted before what refers to it. */
const EXPIRED = {
  webauthn_ceremonies: A_DAY_AGO,
  setup_tokens: `${A_DAY_AGO} AND NOT EXISTS (SELECT FROM webauthn_ceremonies c WHERE c.setup_token_id = expired.id)`,
  console_codes: A_DAY_AGO,
  magic_link_tokens: A_DAY_AGO,
  device_link_codes: A_DAY_AGO,
  device_nonces: A_DAY_AGO,
  session_refresh_tokens: A_DAY_AGO,
  oauth_refresh_tokens: A_DAY_AGO,
  mcp_connection_requests: A_DAY_AGO,
  oauth_authorizations: A_DAY_AGO, // and the codes that they gave
  // Of clients, only those that registered themselves and were never used.
  oauth_clients: `kind = 'registered' AND ${A_DAY_AGO} AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = expired.id)
    AND NOT EXISTS (SELECT FROM oauth_consents c WHERE c.client_id = expired.id)`,
  tasks: "status_at < now() - interval '30 days'", // the contexts that they led to stay
  idempotency_keys: 'expires_at < now() AND lease_until < now()',
  magic_link_requests: "(SELECT max(time) FROM unnest(times) time) < now() - interval '15 minutes'",
} as const;

/**
 * Deletes one-time tokens, codes, ceremonies, refresh tokens, agents' tasks and stored answers that are past their life. Sessions, keys and
 * the clients of users stay: they are only ever marked.
 *
 * @returns how many, by table.
 */
export async function expireOneTime(step: Step): Promise<Record<keyof typeof EXPIRED, number>> {
  const counts: Partial<Record<string, number>> = {};
  for (const [table, expired] of Object.entries(EXPIRED)) counts[table] = await deleteAll(step, table, expired);
  return counts as Record<keyof typeof EXPIRED, number>;
}

/** In batches, passing over rows that someone uses at this moment. */
async function deleteAll(step: Step, table: string, expired: string): Promise<number> {
  const text = `
    DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${table} expired WHERE ${expired} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
  let total = 0;
  for (;;) {
    const deleted = await step((tx) => tx.$executeRawUnsafe(text));
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
