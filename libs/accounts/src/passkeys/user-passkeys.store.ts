import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Database, type Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { queueNotice } from '../notices/queue-notice.js';
import { lockAccount, type AccountGuard } from '../lock-account.js';
import type { UserRow } from '../user-record.js';

export interface PasskeyRecord {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  device_type: string;
  backed_up: boolean;
}

const liveOf = (userId: string) => ({ user_id: userId, removed_at: null });

/** Lists passkeys of an account, oldest first. */
export async function listUserPasskeys(db: Database, userId: string): Promise<PasskeyRecord[]> {
  const rows = await db.prisma.passkey.findMany({
    where: liveOf(userId),
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
  return rows.map(toPasskeyRecord);
}

/**
 * Removes one passkey of an account, or all of them, and queues a message to the owner. The rows stay, so that the service can inform a browser that
 * still suggests a removed passkey. Sessions that began with a passkey continue; `revokeUser` ends them.
 *
 * @returns the number of removed passkeys.
 * @throws AppError not_found when the account does not exist or does not have the passkey, and the error that `requireAllowed` throws.
 */
export async function removeUserPasskeys(
  tx: Tx,
  userId: string,
  passkeyId: string | undefined,
  actor: Actor,
  requireAllowed: AccountGuard,
): Promise<{ removed: number }> {
  const user = await lockAccount(tx, userId, requireAllowed);
  const removed = await removePasskeys(tx, user, passkeyId, actor);
  if (passkeyId !== undefined && removed === 0) throw new AppError('not_found');
  return { removed };
}

/** Removes the passkeys of a locked account. */
export async function removePasskeys(
  tx: Tx,
  user: UserRow,
  passkeyId: string | undefined,
  actor: Actor,
): Promise<number> {
  const removed = await tx.passkey.updateManyAndReturn({
    where: { ...liveOf(user.id), ...(passkeyId !== undefined && { id: passkeyId }) },
    data: { removed_at: new Date() },
    select: { id: true, name: true },
  });
  for (const { id, name } of removed) {
    const resource = encodeId('usr', user.id);
    const detail = { passkey: id, name };
    await recordDecision(tx, { actor, action: 'passkey.remove', resource, project: user.project, detail });
  }
  if (removed.length > 0) await queueNotice(tx, user, 'passkeys_removed', actor);
  return removed.length;
}

export const toPasskeyRecord = (row: Prisma.PasskeyGetPayload<object>): PasskeyRecord => ({
  id: encodeId('pk', row.id),
  name: row.name,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  device_type: row.device_type,
  backed_up: row.backed_up,
});
