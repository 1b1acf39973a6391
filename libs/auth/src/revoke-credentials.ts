import type { Tx } from '@millwright/db';
import { announceRevocation } from './revocations.js';

/** How many of each were live. */
export interface RevokedCredentials {
  sessions: number;
  keys: number;
  devices: number;
  codes: number;
  oauth_clients: number;
  oauth_grants: number;
  setup_tokens: number;
  magic_links: number;
  /** Accounts at MCP servers that the user had connected. */
  mcp_connections: number;
}

/**
 * Ends everything an account is signed in with or acts by, and every one-time token that could become such, in the transaction of
 * its cause (spec, "Account and credential lifecycle"). Refresh tokens end with the session or grant that they go on. Open streams
 * of the account are closed once the transaction is committed. `reason` stands with the sessions.
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
  const devices = await tx.device.updateMany({ where: live, data: { revoked_at: now } });
  const keys = await tx.userApiKey.updateMany({ where: live, data: { revoked_at: now } });
  const clients = await tx.oAuthClient.updateMany({ where: live, data: { revoked_at: now } });
  const grants = await tx.oAuthGrant.updateMany({
    where: { revoked_at: null, OR: [{ user_id: userId }, { client: { user_id: userId } }] },
    data: { revoked_at: now },
  });
  const codes = await tx.deviceLinkCode.updateMany({
    where: { ...unused, revoked_at: null },
    data: { revoked_at: now },
  });
  // Consent that area C has not turned into a grant yet.
  await tx.oAuthAuthorization.updateMany({
    where: { user_id: userId, expires_at: { gt: now } },
    data: { expires_at: now },
  });
  await tx.consoleCode.updateMany({ where: unused, data: { expires_at: now } });
  const links = await tx.magicLinkToken.updateMany({ where: unused, data: { expires_at: now } });
  const tokens = await tx.setupToken.updateMany({ where: unused, data: { expires_at: now } });
  // Tokens of others are not kept for later.
  const connections = await tx.mcpConnection.deleteMany({ where: { user_id: userId } });
  await tx.mcpConnectionRequest.updateMany({
    where: { user_id: userId, expires_at: { gt: now } },
    data: { expires_at: now },
  });
  await announceRevocation(tx, userId);
  return {
    sessions: sessions.count,
    keys: keys.count,
    devices: devices.count,
    codes: codes.count,
    oauth_clients: clients.count,
    oauth_grants: grants.count,
    setup_tokens: tokens.count,
    magic_links: links.count,
    mcp_connections: connections.count,
  };
}
