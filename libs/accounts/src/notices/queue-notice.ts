import type { Actor } from '@millwright/audit';
import { newId, type Tx } from '@millwright/db';
import type { UserRow } from '../user-record.js';

/** Events that are reported to the owner of an account. */
export type NoticeKind =
  | 'email_changed'
  | 'passkeys_removed'
  | 'identity_unlinked'
  | 'recovery_limited'
  | 'break_glass_used'
  | 'passkey_added'
  | 'device_linked'
  | 'recovery_used'
  | 'new_browser'
  | 'role_changed'
  | 'platform_admin_requested'
  | 'platform_admin_refused'
  | 'platform_admin_made'
  | 'webhook_failing'
  | 'webhook_disabled'
  | 'credential_expires';

/** Details of a notice, at most 2 kB. */
export type NoticeDetail = Readonly<Record<string, string | number>>;

/** Queues a message to the address that the account has now. admin-auth sends it after the transaction is committed. */
export async function queueNotice(
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  kind: NoticeKind,
  { requestId }: Pick<Actor, 'requestId'>,
  detail: NoticeDetail = {},
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO account_notices (id, user_id, email, kind, request_id, detail)
    VALUES (${newId()}::uuid, ${id}::uuid, ${email}, ${kind}, ${requestId ?? null}, ${JSON.stringify(detail)}::jsonb)`;
}
