import type { Tx } from '@millwright/db';
import { announceRevocation } from './announce-revocation.js';

/** The number of revoked live credentials, by kind. */
export interface RevokedCredentials {
  sessions: number;
  keys: number;
  devices: number;
  codes: number;
  oauth_clients: number;
  /** The number of revoked grants, at most {@link GRANTS_COUNTED}. */
  oauth_grants: number;
  setup_tokens: number;
  magic_links: number;
  /** The number of deleted connections of the user to accounts at MCP servers. */
  mcp_connections: number;
}

/**
 * Limit up to which grants are counted, because a machine client may have any number of grants. One update ends all of them, whatever their
 * number.
 */
const GRANTS_COUNTED = 1_000;

/** Counts the live grants of an account. */
async function countGrants(tx: Tx, userId: string): Promise<number> {
  const [counted] = await tx.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM oauth_grants g JOIN users u ON u.id = g.user_id
       WHERE g.user_id = ${userId}::uuid AND g.revoked_at IS NULL AND g.epoch = u.grants_epoch LIMIT ${GRANTS_COUNTED}) live`;
  return counted?.n ?? 0;
}

/**
 * Revokes every session and credential of an account, and every one-time token that could be exchanged for a session or
 * credential, in the caller's transaction. A refresh token ends with its session or grant. Open streams of the account
 * are closed once the transaction is committed. `reason` is stored with the sessions.
 */
export async function revokeCredentials(
  tx: Tx,
  userId: string,
  reason: string,
): Promise<RevokedCredentials & Record<string, number>> {
  const now = new Date();
  const live = { user_id: userId, revoked_at: null };
  const unused = { user_id: userId, used_at: null, expires_at: { gt: now } };
  const sessions = await tx.userSession.updateMany({
    where: { ...live, expires_at: { gt: now } },
    data: { revoked_at: now, revoked_reason: reason },
  });
  const devices = await tx.device.updateMany({ where: live, data: { revoked_at: now } });
  const keys = await tx.userApiKey.updateMany({ where: live, data: { revoked_at: now } });
  const clients = await tx.oAuthClient.updateMany({ where: live, data: { revoked_at: now } });
  const oauth_grants = await countGrants(tx, userId);
  // Ends all grants of the account, because a grant is valid only in the epoch in which it was made. Grants that other users gave to the
  // account's clients end together with these clients.
  await tx.user.update({ where: { id: userId }, data: { grants_epoch: { increment: 1 } }, select: { id: true } });
  const codes = await tx.deviceLinkCode.updateMany({
    where: { ...unused, revoked_at: null },
    data: { revoked_at: now },
  });
  // Ends the consents from which the runtime API has not made a grant yet.
  await tx.oAuthAuthorization.updateMany({
    where: { user_id: userId, expires_at: { gt: now } },
    data: { expires_at: now },
  });
  await tx.consoleCode.updateMany({ where: unused, data: { expires_at: now } });
  const links = await tx.magicLinkToken.updateMany({ where: unused, data: { expires_at: now } });
  const tokens = await tx.setupToken.updateMany({ where: unused, data: { expires_at: now } });
  // The account's tokens for services outside the installation are deleted, because the account may never be enabled
  // again.
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
    oauth_grants,
    setup_tokens: tokens.count,
    magic_links: links.count,
    mcp_connections: connections.count,
  };
}
