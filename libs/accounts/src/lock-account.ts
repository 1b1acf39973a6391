import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserRow } from './user-record.js';

/** Receives a locked account and throws when the change under way may not be made. */
export type AccountGuard = (user: UserRow) => void;

/**
 * Locks an account until the transaction ends.
 *
 * @throws AppError not_found, or what `requireAllowed` throws.
 */
export async function lockAccount(tx: Tx, id: string, requireAllowed: AccountGuard): Promise<UserRow> {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return requireLocked(tx, id, requireAllowed);
}

/**
 * Locks an account together with every active platform admin, always in the order of their ids. Changes that could end the last
 * platform admin take this lock, so that of two platform admins who end each other one stays.
 *
 * @throws AppError not_found, or what `requireAllowed` throws.
 */
export async function lockWithPlatformAdmins(tx: Tx, id: string, requireAllowed: AccountGuard): Promise<UserRow> {
  await tx.$queryRaw`
    SELECT id FROM users WHERE id = ANY(ARRAY(
      SELECT ${id}::uuid UNION SELECT id FROM users WHERE platform_admin AND status = 'active'))
     ORDER BY id FOR NO KEY UPDATE`;
  return requireLocked(tx, id, requireAllowed);
}

async function requireLocked(tx: Tx, id: string, requireAllowed: AccountGuard): Promise<UserRow> {
  const user = await tx.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found');
  requireAllowed(user);
  return user;
}

/**
 * Locks an account that is active until the transaction ends, in the shared mode: a change that ends the account waits, and then
 * revokes what was issued here. Call it before locking a row of the account's credentials, in the order of such a change.
 *
 * @returns whether the account is active.
 */
export async function lockActiveAccount(tx: Tx, userId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND status = 'active' FOR SHARE`;
  return locked.length > 0;
}

/**
 * As `lockActiveAccount`, and such transactions of one account follow each other: for what is counted for the account. Never after
 * the shared lock in one transaction: two such transactions would wait for each other.
 */
export async function lockActiveAccountAlone(tx: Tx, userId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND status = 'active' FOR NO KEY UPDATE`;
  return locked.length > 0;
}

/**
 * Call it before a locked account stops being an active platform admin.
 *
 * @throws AppError conflict for the last one, after whom nobody could restore access.
 */
export async function requireOtherPlatformAdmin(tx: Tx, user: UserRow): Promise<void> {
  if (!user.platform_admin || user.status !== 'active') return;
  if ((await tx.user.count({ where: { platform_admin: true, status: 'active' } })) > 1) return;
  throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is the last active platform admin' }] });
}
