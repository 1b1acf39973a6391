import { encodeId, type Database } from '@millwright/db';
import { SURPLUS } from '../sessions/sessions.store.js';
import type { SECURITY_EVENTS } from './profile.contract.js';

interface Row {
  id: string;
  at: Date;
  event: (typeof SECURITY_EVENTS)[number];
  by: 'you' | 'administrator';
  ip: string | null;
}

/**
 * SQL for two kinds of audit rows: rows about changes by the account, among its latest 5,000 rows, and rows about changes to the account by
 * anyone. Both queries read an index from its end. A registration writes a row about a setup token with the new account as actor, although
 * nobody has signed in to this account yet. Such rows are left out.
 */
const LIST = `
  WITH own AS (
    SELECT id, at, ip, action, detail FROM governance_decisions
     WHERE user_id = $1 AND at > now() - interval '90 days' AND decision = 'allow' ORDER BY at DESC LIMIT 5000
  ), done AS (
    SELECT id, at, ip, 'you' AS by,
           CASE action WHEN 'passkey.create' THEN 'passkey_added' WHEN 'device.create' THEN 'device_linked'
                       WHEN 'pat.create' THEN 'token_created' WHEN 'sso_identity.create' THEN 'identity_linked'
                       WHEN 'session.create' THEN 'recovery_used' WHEN 'session.revoke' THEN 'session_limit_reached' END AS event
      FROM own
     WHERE action IN ('passkey.create', 'device.create', 'pat.create', 'sso_identity.create')
        OR (action = 'session.create' AND detail ->> 'method' = 'magic_link')
        OR (action = 'session.revoke' AND detail ->> 'reason' = '${SURPLUS}')
    UNION ALL
    SELECT id, at, CASE user_id WHEN $1 THEN ip END, CASE user_id WHEN $1 THEN 'you' ELSE 'administrator' END,
           CASE action WHEN 'passkey.remove' THEN 'passkey_removed' WHEN 'user.promote' THEN 'role_changed'
                       WHEN 'platform_admin.confirm' THEN 'role_changed' WHEN 'sso_identity.delete' THEN 'identity_unlinked'
                       WHEN 'user.update' THEN CASE WHEN detail ? 'email' THEN 'email_changed' ELSE 'role_changed' END
                       WHEN 'setup_token.create' THEN 'setup_link_created' ELSE 'credentials_revoked' END
      FROM governance_decisions
     WHERE action IN ('passkey.remove', 'user.update', 'user.promote', 'platform_admin.confirm', 'sso_identity.delete', 'setup_token.create',
                      'user.revoke_credentials')
       AND at > now() - interval '90 days' AND resource = $2 AND decision = 'allow'
       AND (action <> 'user.update' OR detail ?| ARRAY['email', 'role']) AND (action <> 'setup_token.create' OR user_id <> $1)
  )
  SELECT id, at, ip, by, event FROM done ORDER BY at DESC, id DESC LIMIT 20`;

/** Lists changes of the ways to sign in to an account. The IP addresses of other people are left out. */
export async function listSecurityActivity(db: Database, userId: string): Promise<Row[]> {
  return db.prepared<Row>('security-activity', LIST, [userId, encodeId('usr', userId)]);
}
