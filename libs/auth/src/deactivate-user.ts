import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserRow } from './accounts.js';
import { revokeCredentials } from './revoke-credentials.js';

/**
 * Ends an account: inactive, and every credential it has is revoked in the same transaction. The row stays, because everything
 * recorded points at it. Deactivating twice is no error and changes nothing.
 *
 * `requireAllowed` sees the account while it is held, and throws when this change may not be made.
 *
 * @throws AppError not_found, conflict for the last active platform admin.
 */
export async function deactivateUser(
  tx: Tx,
  id: string,
  actor: Actor,
  requireAllowed: (user: UserRow) => void,
): Promise<UserRow> {
  // One order for everyone: two platform admins who deactivate each other queue here, and one of them stays.
  await tx.$queryRaw`
    SELECT id FROM users WHERE id = ${id}::uuid OR (platform_admin AND status = 'active') ORDER BY id FOR NO KEY UPDATE`;
  const user = await tx.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found');
  requireAllowed(user);
  if (user.status === 'inactive') return user;
  if (user.platform_admin && (await tx.user.count({ where: { platform_admin: true, status: 'active' } })) === 1) {
    throw new AppError('conflict');
  }
  const revoked = await revokeCredentials(tx, id, 'account deactivated');
  const inactive = await tx.user.update({
    where: { id },
    data: { status: 'inactive', version: { increment: 1 }, updated_at: new Date() },
  });
  await recordDecision(tx, {
    actor,
    action: 'user.deactivate',
    resource: encodeId('usr', id),
    project: user.project,
    detail: revoked,
  });
  return inactive;
}
