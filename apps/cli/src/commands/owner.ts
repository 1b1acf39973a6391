import { requireRights, requireUserByEmail, type Rights, type WantedRights } from '@millwright/accounts';
import type { Tx } from '@millwright/db';

/**
 * Finds the owner of a new credential, and checks the wanted rights. An operator may grant the rights that an admin may grant.
 *
 * @throws AppError not_found, conflict for an inactive account, validation_error naming the right that the account cannot have.
 */
export async function requireOwner(tx: Tx, email: string, wanted: WantedRights): Promise<Rights> {
  const user = await requireUserByEmail(tx, email);
  return requireRights(tx, user.id, wanted, { byAdmin: true });
}
