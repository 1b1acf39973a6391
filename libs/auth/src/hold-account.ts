import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserRow } from './accounts.js';

/** Sees an account while it is held, and throws when the change under way may not be made. */
export type AccountGuard = (user: UserRow) => void;

/**
 * Holds an account until the transaction ends, and every active platform admin with it, in one order for everyone: two platform
 * admins who end each other queue here, and one of them stays.
 *
 * @throws AppError not_found, or what `requireAllowed` throws.
 */
export async function holdAccount(tx: Tx, id: string, requireAllowed: AccountGuard): Promise<UserRow> {
  await tx.$queryRaw`
    SELECT id FROM users WHERE id = ${id}::uuid OR (platform_admin AND status = 'active') ORDER BY id FOR NO KEY UPDATE`;
  const user = await tx.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found');
  requireAllowed(user);
  return user;
}

/**
 * Holds an account that is active until the transaction ends, beside others that do: who ends the account waits, and then finds what
 * was minted here. To be called before a row of the account's credentials is held, since those are what that one holds next.
 *
 * @returns whether it is active.
 */
export async function holdActive(tx: Tx, userId: string): Promise<boolean> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND status = 'active' FOR SHARE`;
  return held.length > 0;
}

/**
 * Before a held account stops being an active platform admin.
 *
 * @throws AppError conflict for the last one: nobody could let people in again.
 */
export async function requireOtherPlatformAdmin(tx: Tx, user: UserRow): Promise<void> {
  if (!user.platform_admin || user.status !== 'active') return;
  if ((await tx.user.count({ where: { platform_admin: true, status: 'active' } })) > 1) return;
  throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is the last active platform admin' }] });
}
