import { randomBytes } from 'node:crypto';
import { recordDecision, type Actor } from '@millwright/audit';
import { accountRole, roleColumns, type AccountRole, type Project } from '@millwright/auth';
import { encodeId, conflictWhenTaken, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { Email, Name, parseField } from '../fields.js';
import { queueNotice } from '../notices/queue-notice.js';
import { requireProject } from '../projects/projects.store.js';
import { toUserRecord, type UserRecord, type UserRow } from '../user-record.js';

export interface NewUser {
  email: string;
  name: string;
  role: AccountRole;
  platformAdmin: boolean;
  project: Project;
  /** Whether the owner created the account by registration. */
  selfRegistered?: boolean;
}

/**
 * Creates an account. The account cannot sign in before a passkey is enrolled. Without an actor, as in a registration
 * or for the first account of the installation, the audit row names the new user.
 *
 * @throws AppError conflict when the email is taken; validation_error with the field `email`, `name` or `project` when
 * its value is not allowed.
 */
export async function createUser(
  tx: Tx,
  input: NewUser,
  actor?: Actor,
  from: Pick<Actor, 'requestId' | 'ip' | 'origin'> = {},
): Promise<UserRecord> {
  const email = parseField('email', Email, input.email);
  const name = parseField('name', Name, input.name);
  await requireProject(tx, input.project);
  const row = await tx.user
    .create({
      data: {
        id: newId(),
        email,
        name,
        ...roleColumns(input.platformAdmin ? 'admin' : input.role),
        platform_admin: input.platformAdmin,
        project: input.project,
        self_registered: input.selfRegistered ?? false,
        webauthn_user_id: new Uint8Array(randomBytes(32)),
      },
    })
    .catch(conflictWhenTaken);
  await recordDecision(tx, {
    actor: actor ?? { ...from, userId: row.id, kind: 'user', label: row.name },
    action: 'user.create',
    resource: encodeId('usr', row.id),
    project: row.project,
    detail: { email: row.email, role: accountRole(row), platform_admin: row.platform_admin },
  });
  return toUserRecord(row);
}

/** Makes a user an admin. Promoting twice is not an error. */
export async function promoteUser(tx: Tx, email: string, actor: Actor): Promise<UserRecord> {
  const user = await requireUserByEmail(tx, email);
  if (user.role === 'admin') return toUserRecord(user);
  const promoted = await tx.user.update({
    where: { id: user.id },
    data: { ...roleColumns('admin'), version: { increment: 1 } },
  });
  await queueNotice(tx, promoted, 'role_changed', actor);
  await recordDecision(tx, {
    actor,
    action: 'user.promote',
    resource: encodeId('usr', user.id),
    project: user.project,
  });
  return toUserRecord(promoted);
}

/** Lists all accounts, oldest first. */
export async function listUsers(db: Database): Promise<UserRecord[]> {
  const rows = await db.prisma.user.findMany({ orderBy: [{ created_at: 'asc' }, { id: 'asc' }] });
  return rows.map(toUserRecord);
}

/** Finds the account with this address, in any letter case. @throws AppError not_found with the field `email` when there is no such account */
export async function requireUserByEmail(tx: Pick<Tx, 'user'>, email: string): Promise<UserRow> {
  const user = await tx.user.findUnique({ where: { email } });
  if (!user) throw new AppError('not_found', { fields: [{ field: 'email', reason: 'belongs to no account' }] });
  return user;
}

/** Returns the actor that audit rows name for commands of an operator: the oldest active platform admin. */
export async function operatorActor(tx: Pick<Tx, 'user'>): Promise<Actor | undefined> {
  const user = await tx.user.findFirst({
    where: { platform_admin: true, status: 'active' },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
  return user ? { userId: user.id, kind: 'user', label: user.name } : undefined;
}
