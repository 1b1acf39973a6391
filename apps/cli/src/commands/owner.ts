import { requireRights, requireUser, type Rights, type WantedRights } from '@millwright/auth';
import type { Tx } from '@millwright/db';

/**
 * The account that a new credential belongs to, with its rights. An operator gives what an admin may give.
 *
 * @throws AppError not_found, conflict for an inactive account, validation_error naming what that account cannot have.
 */
export async function requireOwner(tx: Tx, email: string, wanted: WantedRights): Promise<Rights> {
  const user = await requireUser(tx, email);
  return requireRights(tx, user.id, wanted, { byAdmin: true });
}
