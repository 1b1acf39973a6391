import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserRow } from './accounts.js';

/**
 * Ends an account: inactive, and every credential it has is revoked in the same transaction. The row stays, because everything
 * recorded points at it. Deactivating twice is no error and changes nothing.
 *
 * `requireAllowed` sees the account while it is held, and throws when this change may not be made.
 *
 * @throws AppError not_found, conflict for the last active platform admin.
 */
export async function deactivateUser(tx: Tx, id: string, actor: Actor, requireAllowed: (user: UserRow) => void): Promise<UserRow> {
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
  const revoked = await revokeCredentials(tx, id);
  const inactive = await tx.user.update({
    where: { id },
    data: { status: 'inactive', version: { increment: 1 }, updated_at: new Date() },
  });
  await recordDecision(tx, { actor, action: 'user.deactivate', resource: encodeId('usr', id), project: user.project, detail: revoked });
  return inactive;
}

/** How many of each were live. */
async function revokeCredentials(tx: Tx, userId: string) {
  const now = new Date();
  const live = { user_id: userId, revoked_at: null };
  const keys = await tx.userApiKey.updateMany({ where: live, data: { revoked_at: now } });
  const clients = await tx.oAuthClient.updateMany({ where: live, data: { revoked_at: now } });
  const grants = await tx.oAuthGrant.updateMany({
    where: { revoked_at: null, OR: [{ user_id: userId }, { client: { user_id: userId } }] },
    data: { revoked_at: now },
  });
  const tokens = await tx.setupToken.updateMany({
    where: { user_id: userId, used_at: null, expires_at: { gt: now } },
    data: { expires_at: now },
  });
  return { api_keys: keys.count, oauth_clients: clients.count, oauth_grants: grants.count, setup_tokens: tokens.count };
}
