import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';

/** Ends everything the user is signed in with, and what could still become such, in the transaction of its cause. */
export async function revokeCredentials(tx: Tx, userId: string, actor: Actor, reason: string): Promise<void> {
  const now = new Date();
  const live = { user_id: userId, revoked_at: null };
  const unused = { user_id: userId, used_at: null };
  const sessions = await tx.userSession.updateMany({ where: live, data: { revoked_at: now, revoked_reason: reason } });
  const tokens = await tx.userApiKey.updateMany({ where: { ...live, kind: 'pat' }, data: { revoked_at: now } });
  const grants = await tx.oAuthGrant.updateMany({ where: live, data: { revoked_at: now } });
  await tx.consoleCode.updateMany({ where: unused, data: { used_at: now } });
  await tx.magicLinkToken.updateMany({ where: unused, data: { used_at: now } });
  await tx.setupToken.updateMany({ where: unused, data: { used_at: now } });
  const detail = { reason, sessions: sessions.count, tokens: tokens.count, grants: grants.count };
  await recordDecision(tx, { actor, action: 'user.revoke_credentials', resource: encodeId('usr', userId), detail });
}
