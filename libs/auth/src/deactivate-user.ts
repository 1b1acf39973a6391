import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';
import type { UserRow } from './accounts.js';
import { holdAccount, requireOtherPlatformAdmin, type AccountGuard } from './hold-account.js';
import { revokeCredentials, type RevokedCredentials } from './revoke-credentials.js';

/**
 * Ends an account for good: inactive, and every credential it has is revoked in the same transaction. The row stays, because
 * everything recorded points at it. Deactivating twice is no error and changes nothing.
 *
 * `requireAllowed` sees the account while it is held, and throws when this change may not be made.
 *
 * @throws AppError not_found, conflict for the last active platform admin.
 */
export async function deactivateUser(tx: Tx, id: string, actor: Actor, requireAllowed: AccountGuard): Promise<UserRow> {
  const user = await holdAccount(tx, id, requireAllowed);
  if (user.deleted_at) return user;
  return end(tx, user, actor, { action: 'user.deactivate', reason: 'account deactivated', deleted_at: new Date() });
}

/** The same until {@link enableUser}; the credentials stay revoked. */
export async function disableUser(
  tx: Tx,
  id: string,
  actor: Actor,
  requireAllowed: AccountGuard,
  reason = 'account disabled',
): Promise<UserRow> {
  const user = await holdAccount(tx, id, requireAllowed);
  if (user.status === 'inactive') return user;
  return end(tx, user, actor, { action: 'user.disable', reason, deleted_at: null });
}

/** Ends what an account is signed in with and acts by; the account itself stays as it is. */
export async function revokeUser(
  tx: Tx,
  id: string,
  actor: Actor,
  requireAllowed: AccountGuard,
  reason = 'credentials revoked',
): Promise<RevokedCredentials> {
  const user = await holdAccount(tx, id, requireAllowed);
  const revoked = await revokeCredentials(tx, id, reason);
  await recordDecision(tx, {
    actor,
    action: 'user.revoke_credentials',
    resource: encodeId('usr', id),
    project: user.project,
    detail: { reason, ...revoked },
  });
  return revoked;
}

async function end(
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
      updated_at: new Date(),
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
