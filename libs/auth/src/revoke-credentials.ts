import type { Tx } from '@millwright/db';

/** How many of each were live. */
export interface RevokedCredentials {
  sessions: number;
  api_keys: number;
  oauth_clients: number;
  oauth_grants: number;
  setup_tokens: number;
  magic_links: number;
}

/**
 * Ends everything an account is signed in with or acts by, and every one-time token that could become such, in the transaction of
 * its cause (spec, "Account and credential lifecycle"). `reason` stands with the sessions.
 */
export async function revokeCredentials(
  tx: Tx,
  userId: string,
  reason: string,
): Promise<RevokedCredentials & Record<string, number>> {
  const now = new Date();
  const live = { user_id: userId, revoked_at: null };
  const unused = { user_id: userId, used_at: null, expires_at: { gt: now } };
  const sessions = await tx.userSession.updateMany({ where: live, data: { revoked_at: now, revoked_reason: reason } });
  const keys = await tx.userApiKey.updateMany({ where: live, data: { revoked_at: now } });
  const clients = await tx.oAuthClient.updateMany({ where: live, data: { revoked_at: now } });
  const grants = await tx.oAuthGrant.updateMany({
    where: { revoked_at: null, OR: [{ user_id: userId }, { client: { user_id: userId } }] },
    data: { revoked_at: now },
  });
  await tx.consoleCode.updateMany({ where: unused, data: { expires_at: now } });
  const links = await tx.magicLinkToken.updateMany({ where: unused, data: { expires_at: now } });
  const tokens = await tx.setupToken.updateMany({ where: unused, data: { expires_at: now } });
  return {
    sessions: sessions.count,
    api_keys: keys.count,
    oauth_clients: clients.count,
    oauth_grants: grants.count,
    setup_tokens: tokens.count,
    magic_links: links.count,
  };
}
