import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { UserRow } from './accounts.js';
import { holdAccount, requireOtherPlatformAdmin, type AccountGuard } from './hold-account.js';
import type { Project } from './principal.js';
import { announceRevocation } from './revocations.js';

export interface AccountChanges {
  name?: string | undefined;
  /** `user` takes the platform's administration away too; `admin` never gives it. */
  role?: 'user' | 'admin' | undefined;
  project?: Project | undefined;
}

/**
 * Changes who an account is; that counts from its next request on. What stays as it was is no change.
 *
 * @throws AppError not_found, validation_error naming `name`, conflict for demoting the last active platform admin.
 */
export async function changeAccount(
  tx: Tx,
  id: string,
  changes: AccountChanges,
  actor: Actor,
  requireAllowed: AccountGuard,
): Promise<UserRow> {
  const user = await holdAccount(tx, id, requireAllowed);
  const wanted = { ...changes, ...(changes.name !== undefined && { name: changes.name.trim() }) };
  if (wanted.name === '' || (wanted.name?.length ?? 0) > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const fields = (['name', 'role', 'project'] as const).filter(
    (field) => wanted[field] !== undefined && wanted[field] !== user[field],
  );
  if (fields.length === 0) return user;
  const isDemoted = fields.includes('role') && wanted.role === 'user';
  if (isDemoted) await requireOtherPlatformAdmin(tx, user);
  const changed = await tx.user.update({
    where: { id },
    data: {
      ...Object.fromEntries(fields.map((field) => [field, wanted[field]])),
      ...(isDemoted && { platform_admin: false }),
      version: { increment: 1 },
      updated_at: new Date(),
    },
  });
  // What is open was let in by what was changed.
  if (fields.includes('role') || fields.includes('project')) await announceRevocation(tx, id);
  await recordDecision(tx, {
    actor,
    action: 'user.update',
    resource: encodeId('usr', id),
    project: changed.project,
    detail: Object.fromEntries(fields.map((field) => [field, { from: user[field], to: changed[field] }])),
  });
  return changed;
}

/**
 * Lets a disabled account in again. What it was signed in with stays revoked. Enabling twice is no error.
 *
 * @throws AppError not_found, conflict for an account that was deactivated for good.
 */
export async function enableUser(tx: Tx, id: string, actor: Actor, requireAllowed: AccountGuard): Promise<UserRow> {
  const user = await holdAccount(tx, id, requireAllowed);
  if (user.status === 'active') return user;
  if (user.deleted_at) throw new AppError('conflict', { fields: [{ field: 'user', reason: 'was deleted' }] });
  const active = await tx.user.update({
    where: { id },
    data: { status: 'active', version: { increment: 1 }, updated_at: new Date() },
  });
  await recordDecision(tx, {
    actor,
    action: 'user.enable',
    resource: encodeId('usr', id),
    project: user.project,
  });
  return active;
}
