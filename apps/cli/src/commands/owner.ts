import { requireRights, requireUserByEmail, type Rights, type WantedRights } from '@millwright/accounts';
import type { Tx } from '@millwright/db';

/**
 * Finds the owner of a new credential, and checks the wanted rights. An operator may grant the same rights as an admin.
 *
 * @throws AppError not_found when there is no such account, conflict when it is inactive, validation_error for a right that the account
 * cannot have.
 */
export async function requireOwner(tx: Tx, email: string, wanted: WantedRights): Promise<Rights> {
  const user = await requireUserByEmail(tx, email);
  return requireRights(tx, user.id, wanted, { byAdmin: true });
}
