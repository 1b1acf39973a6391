import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';
import { removePasskeys } from '../passkeys/user-passkeys.store.js';
import { revokeCredentials, type RevokedCredentials } from '../revocation/revoke-credentials.js';
import { lockAccount, lockWithPlatformAdmins, requireOtherPlatformAdmin, type AccountGuard } from '../lock-account.js';
import type { UserRow } from '../user-record.js';

/**
 * Deactivates an account permanently: it is inactive, and all its credentials are revoked in the same transaction. The row stays, because
 * the audit log and other records refer to it. Deactivating twice is not an error and changes nothing.
 *
 * `requireAllowed` receives the locked account, and throws when the change is not allowed.
 *
 * @throws AppError not_found, conflict for the last active platform admin.
 */
export async function deactivateUser(tx: Tx, id: string, actor: Actor, requireAllowed: AccountGuard): Promise<UserRow> {
  const user = await lockWithPlatformAdmins(tx, id, requireAllowed);
  if (user.deleted_at) return user;
  return deactivate(tx, user, actor, {
    action: 'user.deactivate',
    reason: 'account deactivated',
    deleted_at: new Date(),
  });
}

/**
 * Disables an account until `enableUser`, and revokes all its credentials permanently. Disabling twice is not an error.
 *
 * @throws AppError not_found, conflict for the last active platform admin.
 */
export async function disableUser(
  tx: Tx,
  id: string,
  actor: Actor,
  requireAllowed: AccountGuard,
  reason = 'account disabled',
): Promise<UserRow> {
  const user = await lockWithPlatformAdmins(tx, id, requireAllowed);
  if (user.status === 'inactive') return user;
  return deactivate(tx, user, actor, { action: 'user.disable', reason, deleted_at: null });
}

/**
 * Revokes the sessions and credentials of an account, and also its passkeys when `passkeys` is set. The account itself
 * does not change.
 *
 * @throws AppError not_found when there is no such account
 */
export async function revokeUser(
  tx: Tx,
  id: string,
  actor: Actor,
  requireAllowed: AccountGuard,
  { reason = 'credentials revoked', passkeys = false }: { reason?: string | undefined; passkeys?: boolean } = {},
): Promise<RevokedCredentials & { passkeys?: number }> {
  const user = await lockAccount(tx, id, requireAllowed);
  const revoked = {
    ...(await revokeCredentials(tx, id, reason)),
    ...(passkeys && { passkeys: await removePasskeys(tx, user, undefined, actor) }),
  };
  await recordDecision(tx, {
    actor,
    action: 'user.revoke_credentials',
    resource: encodeId('usr', id),
    project: user.project,
    detail: { reason, ...revoked },
  });
  return revoked;
}

async function deactivate(
  tx: Tx,
  user: UserRow,
  actor: Actor,
  { action, reason, deleted_at }: { action: string; reason: string; deleted_at: Date | null },
): Promise<UserRow> {
  await requireOtherPlatformAdmin(tx, user);
  const revoked = await revokeCredentials(tx, user.id, reason);
  const inactive = await tx.user.update({
    where: { id: user.id },
    data: {
      status: 'inactive',
      deleted_at,
      disabled_at: new Date(),
      version: { increment: 1 },
    },
  });
  await recordDecision(tx, {
    actor,
    action,
    resource: encodeId('usr', user.id),
    project: user.project,
    detail: { reason, ...revoked },
  });
  return inactive;
}
