import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { announceRevocation } from '../revocation/announce-revocation.js';
import { queueNotice } from '../notices/queue-notice.js';
import { lockAccount, type AccountGuard } from '../lock-account.js';

/** Maximum number of characters of the issuer that a notice contains. */
const MAX_ISSUER = 500;

/** The link between an account and its identity at an identity provider. */
export interface SsoIdentityRecord {
  id: string;
  /** The identity provider's identifier (`iss`). */
  issuer: string;
  /** Identifier of the account at the issuer (`sub`). */
  subject: string;
  created_at: string;
  last_used_at: string;
}

/** Lists the identities of an account, oldest first: at most one for each issuer. */
export async function listSsoIdentities(db: Database, userId: string): Promise<SsoIdentityRecord[]> {
  const rows = await db.prisma.ssoIdentity.findMany({ where: { user_id: userId }, orderBy: { id: 'asc' } });
  return rows.map(({ id, issuer, subject, created_at, last_used_at }) => ({
    ...{ id, issuer, subject },
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }));
}

/**
 * Unlinks an account from an identity provider and ends the sessions that the provider opened. The next sign-in links
 * the account again when the provider may link accounts by a verified address, or when the provider manages this
 * account by provisioning.
 *
 * @returns how many sessions ended.
 * @throws AppError not_found for an unknown account or identity, and the error that `requireAllowed` throws.
 */
export async function unlinkSsoIdentity(
  tx: Tx,
  userId: string,
  identity: { id: string } | { issuer: string },
  actor: Actor,
  requireAllowed: AccountGuard,
): Promise<{ sessions: number }> {
  const user = await lockAccount(tx, userId, requireAllowed);
  const found = await tx.ssoIdentity.findFirst({ where: { ...identity, user_id: userId } });
  if (!found) throw new AppError('not_found');
  const { issuer, subject } = found;
  await tx.ssoIdentity.delete({ where: { id: found.id } });
  const live = await tx.userSession.findMany({
    where: { user_id: userId, revoked_at: null, expires_at: { gt: new Date() } },
    select: { id: true },
  });
  const opened = await tx.ssoSession.findMany({
    where: { issuer, session_id: { in: live.map(({ id }) => id) } },
    select: { session_id: true },
  });
  const { count: sessions } = await tx.userSession.updateMany({
    where: { id: { in: opened.map(({ session_id }) => session_id) }, revoked_at: null },
    data: { revoked_at: new Date(), revoked_reason: 'identity unlinked' },
  });
  await announceRevocation(tx, userId);
  await queueNotice(tx, user, 'identity_unlinked', actor, { issuer: issuer.slice(0, MAX_ISSUER) });
  await recordDecision(tx, {
    actor,
    action: 'sso_identity.delete',
    resource: encodeId('usr', userId),
    project: user.project,
    detail: { issuer, subject, sessions },
  });
  return { sessions };
}
