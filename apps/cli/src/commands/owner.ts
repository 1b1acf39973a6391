import { requireUser, type Project } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';

/**
 * The account that a new credential belongs to, and its project. An admin's may be chosen; everyone else has one (spec, "User").
 *
 * @throws AppError not_found, conflict for an inactive account, validation_error naming `project`.
 */
export async function requireOwner(
  tx: Tx,
  email: string,
  wanted: Project | undefined,
): Promise<{ userId: string; project: Project }> {
  const user = await requireUser(tx, email);
  if (user.status !== 'active') throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is inactive' }] });
  const own = user.project as Project;
  if (wanted !== undefined && wanted !== own && user.role !== 'admin') {
    throw invalidField('project', `is ${own} for this user; only an admin may choose`);
  }
  return { userId: user.id, project: wanted ?? own };
}
