import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserRow } from './user-record.js';

/** A check of a requested change: receives the locked account, and throws when the change is not allowed. */
export type AccountGuard = (user: UserRow) => void;

/**
 * Locks an account until the transaction ends.
 *
 * @throws AppError not_found, and the error that `requireAllowed` throws.
 */
export async function lockAccount(tx: Tx, id: string, requireAllowed: AccountGuard): Promise<UserRow> {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return requireLocked(tx, id, requireAllowed);
}

/**
 * Locks an account together with every active platform admin, always in the order of their ids. Every change that may
 * remove a platform admin takes this lock. Without it, two platform admins could remove each other at the same time,
 * and none would remain.
 *
 * @throws AppError not_found, and the error that `requireAllowed` throws.
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
 * Locks an active account in shared mode until the transaction ends. A change that deactivates the account waits, and
 * then revokes the credentials that this transaction issued. Call this before locking a row of the account's
 * credentials: the deactivation takes its locks in the same order.
 *
 * @returns whether the account is active.
 */
export async function lockActiveAccount(tx: Tx, userId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND status = 'active' FOR SHARE`;
  return locked.length > 0;
}

/**
 * Locks an active account like `lockActiveAccount`, but only one transaction at a time has this lock, so that it can count the account's records.
 * Never call both functions in one transaction: two such transactions would wait for each other.
 */
export async function lockActiveAccountAlone(tx: Tx, userId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND status = 'active' FOR NO KEY UPDATE`;
  return locked.length > 0;
}

/**
 * Requires that another active platform admin exists when the account is an active platform admin. Call this before a
 * locked account stops being one.
 *
 * @throws AppError conflict for the last active platform admin, without whom nobody could restore access.
 */
export async function requireOtherPlatformAdmin(tx: Tx, user: UserRow): Promise<void> {
  if (!user.platform_admin || user.status !== 'active') return;
  if ((await tx.user.count({ where: { platform_admin: true, status: 'active' } })) > 1) return;
  throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is the last active platform admin' }] });
}
