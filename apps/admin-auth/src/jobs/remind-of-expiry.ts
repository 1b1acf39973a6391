import { queueNotice } from '@millwright/accounts';
import type { Step, Tx } from '@millwright/db';

/** Limit of the reminders in a step. */
const PER_STEP = 100;

interface Reminded {
  user_id: string;
  email: string;
  what: string;
  name: string;
  expires_at: Date;
  reminded_days: number;
}

/**
 * Queues a message to the owner of each API key, personal access token and device link that expires: 14 days before, 3 days before and
 * after expiry, each at most once. Skips stages that had already started when the credential was created, and credentials that were
 * rotated or revoked or expired more than a day ago.
 *
 * @returns the number of reminders
 */
export async function remindOfExpiry(step: Step, now: Date): Promise<number> {
  let reminded = 0;
  for (;;) {
    const count = await step((tx) => remind(tx, now));
    reminded += count;
    if (count < PER_STEP) return reminded;
  }
}

async function remind(tx: Tx, now: Date): Promise<number> {
  const due = await tx.$queryRaw<Reminded[]>`
    WITH due AS (
      SELECT k.id, u.email, stage.days
        FROM user_api_keys k JOIN users u ON u.id = k.user_id
        CROSS JOIN LATERAL (
          SELECT min(days) AS days FROM unnest(ARRAY[14, 3, 0]) days
           WHERE k.expires_at <= ${now}::timestamptz + make_interval(days => days)) stage
       WHERE k.expires_at BETWEEN ${now}::timestamptz - interval '1 day' AND ${now}::timestamptz + interval '14 days'
         AND k.revoked_at IS NULL AND k.successor_id IS NULL AND u.status = 'active'
         AND (k.reminded_days IS NULL OR k.reminded_days > stage.days)
         AND k.created_at < k.expires_at - make_interval(days => stage.days)
       ORDER BY k.expires_at LIMIT ${PER_STEP} FOR NO KEY UPDATE OF k SKIP LOCKED)
    UPDATE user_api_keys k SET reminded_days = due.days
      FROM due LEFT JOIN devices d ON d.key_id = due.id
     WHERE k.id = due.id
    RETURNING k.user_id, due.email, coalesce(d.name, k.name) AS name, k.expires_at, k.reminded_days::int,
      CASE WHEN d.id IS NOT NULL THEN 'Device link' WHEN k.kind = 'pat' THEN 'Personal access token' ELSE 'API key' END AS what`;
  for (const { user_id: id, email, reminded_days: days, expires_at, what, name } of due) {
    const detail = { what, name, expires_at: expires_at.toUTCString(), days };
    await queueNotice(tx, { id, email }, 'credential_expires', {}, detail);
  }
  return due.length;
}
