import { recordDecision, type Actor } from '@millwright/audit';
import { decodeId, encodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { announceRevocation } from '../revocation/announce-revocation.js';
import { requireUserByEmail } from '../users/users.store.js';

export interface UserSessionRecord {
  id: string;
  method: string;
  ip: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
}

const live = (userId: string) => ({ user_id: userId, revoked_at: null, expires_at: { gt: new Date() } });

/** Lists an account's live browser sessions, latest first. @throws AppError not_found when no account has this address */
export async function listUserSessions(db: Database, email: string): Promise<UserSessionRecord[]> {
  const { id } = await requireUserByEmail(db.prisma, email);
  const rows = await db.prisma.userSession.findMany({ where: live(id), orderBy: { last_seen_at: 'desc' } });
  return rows.map((row) => ({
    id: encodeId('ses', row.id),
    method: row.method,
    ip: row.ip,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }));
}

/**
 * Ends one browser session of an account, or all of them.
 * @throws AppError not_found when no account has this address, or the account has no such live session
 */
export async function revokeUserSessions(
  tx: Tx,
  email: string,
  sessionId: string | undefined,
  actor: Actor,
): Promise<{ revoked: number }> {
  const user = await requireUserByEmail(tx, email);
  const id = sessionId === undefined ? undefined : decodeId('ses', sessionId);
  if (sessionId !== undefined && id === undefined) throw new AppError('not_found');
  const ended = await tx.userSession.updateManyAndReturn({
    where: { ...live(user.id), ...(id !== undefined && { id }) },
    data: { revoked_at: new Date(), revoked_reason: 'revoked by an operator' },
    select: { id: true },
  });
  if (id !== undefined && ended.length === 0) throw new AppError('not_found');
  for (const session of ended) {
    const resource = encodeId('ses', session.id);
    await recordDecision(tx, { actor, action: 'session.revoke', resource, project: user.project });
  }
  await announceRevocation(tx, user.id);
  return { revoked: ended.length };
}
