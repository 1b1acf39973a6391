import { recordDecision, type Actor } from '@millwright/audit';
import { accountRole, roleColumns, type AccountRole, type Project } from '@millwright/auth';
import { conflictWhenTaken, encodeId, type Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { Email, Name, parseField } from '../fields.js';
import { queueNotice } from '../notices/queue-notice.js';
import { requireProject } from '../projects/projects.store.js';
import { announceRevocation } from '../revocation/announce-revocation.js';
import { lockAccount, lockWithPlatformAdmins, requireOtherPlatformAdmin, type AccountGuard } from '../lock-account.js';
import type { UserRow } from '../user-record.js';

export interface AccountChanges {
  name?: string | undefined;
  email?: string | undefined;
  /** The new role. With any role except `admin`, the account also stops being a platform admin. With `admin`, it does not become a platform admin. */
  role?: AccountRole | undefined;
  project?: Project | undefined;
}

const FIELDS = ['name', 'email', 'role', 'project'] as const;

/**
 * Time after a change of the address, in milliseconds, in which the account cannot be recovered by mail. The owner
 * receives a message at the former address and can object.
 */
const RECOVERY_PAUSE_MS = 24 * 3_600_000;

/**
 * Changes fields of an account, with effect from its next request. A field that keeps its value is not a change. The audit row
 * `user.update` has `{ <field>: { from, to } }` for each changed field. When the role changes, the owner gets a message. When the address
 * changes, the account's sessions, recovery links and setup tokens end, the former address gets a message, and nobody can recover the
 * account by mail for a day.
 *
 * @throws AppError not_found; validation_error with the field `name`, `email` or `project` when its value is not allowed; conflict for an address
 * that is taken, and for another role of the last active platform admin.
 */
export async function changeAccount(
  tx: Tx,
  id: string,
  changes: AccountChanges,
  actor: Actor,
  requireAllowed: AccountGuard,
): Promise<UserRow> {
  const lock = changes.role !== undefined && changes.role !== 'admin' ? lockWithPlatformAdmins : lockAccount;
  const user = await lock(tx, id, requireAllowed);
  const former = { ...user, role: accountRole(user) };
  const wanted = {
    ...changes,
    ...(changes.name !== undefined && { name: parseField('name', Name, changes.name) }),
    ...(changes.email !== undefined && { email: parseField('email', Email, changes.email) }),
  };
  const fields = FIELDS.filter((field) => wanted[field] !== undefined && wanted[field] !== former[field]);
  if (fields.length === 0) return user;
  if (wanted.project !== undefined && fields.includes('project')) await requireProject(tx, wanted.project);
  const isDemoted = fields.includes('role') && former.role === 'admin';
  const isMoved = fields.includes('email');
  if (isDemoted) await requireOtherPlatformAdmin(tx, user);
  const changed = await update(tx, id, {
    ...Object.fromEntries(fields.map((field) => [field, wanted[field]])),
    ...(fields.includes('role') && wanted.role && roleColumns(wanted.role)),
    ...(isDemoted && { platform_admin: false }),
    ...(isMoved && { recovery_after: new Date(Date.now() + RECOVERY_PAUSE_MS) }),
  }).catch(conflictWhenTaken);
  if (isMoved) await leaveAddress(tx, user, actor);
  if (fields.includes('role')) await queueNotice(tx, changed, 'role_changed', actor);
  // Closes the account's open streams, because they were admitted with the former role and project.
  if (fields.includes('role') || fields.includes('project')) await announceRevocation(tx, id);
  const shown = { ...changed, role: accountRole(changed) };
  await recordDecision(tx, {
    actor,
    action: 'user.update',
    resource: encodeId('usr', id),
    project: changed.project,
    detail: Object.fromEntries(fields.map((field) => [field, { from: former[field], to: shown[field] }])),
  });
  return changed;
}

/**
 * Refuses to let a program change the address of an admin, project admin or auditor. Anyone who receives the account's mail can recover the
 * account, so a program could give the account to another person. Only a platform admin can change the address, in the console after a
 * recent proof.
 *
 * @throws AppError forbidden when the change has another address for such an account
 */
export function requireKeptAddress(user: UserRow, { email }: AccountChanges): void {
  if (accountRole(user) === 'user' || email === undefined || email === user.email) return;
  throw new AppError('forbidden', {
    fields: [{ field: 'email', reason: 'of an admin or auditor is changed in the console only' }],
  });
}

/** Ends sessions, recovery links and setup tokens of an account whose address changes, and queues a message to the former address. */
async function leaveAddress(tx: Tx, user: UserRow, actor: Actor): Promise<void> {
  const now = new Date();
  const unused = { user_id: user.id, used_at: null, expires_at: { gt: now } };
  await tx.magicLinkToken.updateMany({ where: unused, data: { expires_at: now } });
  await tx.setupToken.updateMany({ where: unused, data: { expires_at: now } });
  await tx.userSession.updateMany({
    where: { user_id: user.id, revoked_at: null },
    data: { revoked_at: now, revoked_reason: 'address changed' },
  });
  await announceRevocation(tx, user.id);
  await queueNotice(tx, user, 'email_changed', actor);
}

/**
 * Changes a user's own name. A name that is the same is not a change. The audit row `user.rename` has `{ from, to }`.
 *
 * @throws AppError not_found; validation_error with the field `name` when the name is not allowed; and the error that
 * `requireAllowed` throws.
 */
export async function renameUser(
  tx: Tx,
  name: string | undefined,
  actor: Actor,
  requireAllowed: AccountGuard = () => undefined,
): Promise<UserRow> {
  const id = actor.userId;
  const user = await lockAccount(tx, id, requireAllowed);
  const wanted = name === undefined ? user.name : parseField('name', Name, name);
  if (wanted === user.name) return user;
  const renamed = await update(tx, id, { name: wanted });
  await recordDecision(tx, {
    actor,
    action: 'user.rename',
    resource: encodeId('usr', id),
    project: user.project,
    detail: { from: user.name, to: wanted },
  });
  return renamed;
}

const update = (tx: Tx, id: string, data: Prisma.UserUpdateInput) =>
  tx.user.update({ where: { id }, data: { ...data, version: { increment: 1 } } });

/**
 * Enables a disabled account. Its former sessions and credentials stay revoked. Enabling twice is not an error.
 *
 * @throws AppError not_found, conflict for an account that was deactivated permanently.
 */
export async function enableUser(tx: Tx, id: string, actor: Actor, requireAllowed: AccountGuard): Promise<UserRow> {
  const user = await lockAccount(tx, id, requireAllowed);
  if (user.status === 'active') return user;
  if (user.deleted_at) throw new AppError('conflict', { fields: [{ field: 'user', reason: 'was deleted' }] });
  const active = await update(tx, id, { status: 'active' });
  await recordDecision(tx, {
    actor,
    action: 'user.enable',
    resource: encodeId('usr', id),
    project: user.project,
  });
  return active;
}
