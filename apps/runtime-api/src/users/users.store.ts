import {
  createUser,
  deactivateUser,
  parseEmail,
  type Caller,
  type Project,
  type Role,
  type UserRow,
} from '@millwright/auth';
import { recordDecision, recordDenial } from '@millwright/audit';
import { decodeId, encodeId, isUniqueViolation, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import type { NewUser, User, UserChanges } from './users.contract.js';

/** A user and the version its ETag is made of. */
export interface VersionedUser {
  record: User;
  version: number;
}

/** The account that a request changes, the versions it may change (`If-Match`), and what the one who asks is. */
export interface UserTarget {
  id: string;
  ifMatch: readonly number[] | undefined;
  roles: readonly Role[];
}

/** The only file that reads and writes accounts for area C. Every function sees one project and nothing else. */
export function createUserStore(db: Database) {
  return {
    async list(project: Project, { limit, offset }: ListQuery) {
      const where = { project };
      const [rows, total] = await Promise.all([
        db.prisma.user.findMany({ where, orderBy: [{ created_at: 'asc' }, { id: 'asc' }], take: limit, skip: offset }),
        db.prisma.user.count({ where }),
      ]);
      return { items: rows.map((row) => toUser(row).record), total, limit, offset };
    },

    async find(project: Project, id: string): Promise<VersionedUser | undefined> {
      const uuid = decodeId('usr', id);
      const row = uuid && (await db.prisma.user.findFirst({ where: { id: uuid, project } }));
      return row ? toUser(row) : undefined;
    },

    /** In the caller's project, with no rights of an admin, and unable to sign in before a passkey is enrolled. */
    async create(tx: Tx, { project, actor }: Caller, input: NewUser): Promise<VersionedUser> {
      const { id } = await createUser(tx, { ...input, role: 'user', platformAdmin: false, project }, actor).catch(
        (error: unknown) => {
          throw error instanceof AppError && error.code === 'conflict' ? taken(error) : error;
        },
      );
      return toUser(await tx.user.findUniqueOrThrow({ where: { id: decodeId('usr', id) ?? '' } }));
    },

    /** Sets these fields. Those that are as they were are no change. */
    async change(tx: Tx, caller: Caller, target: UserTarget, changes: UserChanges): Promise<VersionedUser> {
      const current = await lockUser(tx, caller, target);
      requireAllowed(caller.project, target, current);
      const wanted = { ...changes, ...(changes.email !== undefined && { email: parseEmail(changes.email) }) };
      const fields = (['email', 'name'] as const).filter(
        (field) => wanted[field] !== undefined && wanted[field] !== current[field],
      );
      if (fields.length === 0) return toUser(current);
      const data = { ...wanted, version: { increment: 1 }, updated_at: new Date() };
      const row = await tx.user.update({ where: { id: current.id }, data }).catch((error: unknown) => {
        throw isUniqueViolation(error) ? taken(error) : error;
      });
      const detail = Object.fromEntries(fields.map((field) => [field, { from: current[field], to: row[field] }]));
      await recordDecision(tx, { ...caller, action: 'user.update', resource: target.id, detail });
      return toUser(row);
    },

    async deactivate(tx: Tx, { project, actor }: Caller, target: UserTarget): Promise<VersionedUser> {
      const uuid = decodeId('usr', target.id);
      if (!uuid) throw new AppError('not_found');
      const row = await deactivateUser(tx, uuid, actor, (user) => requireAllowed(project, target, user)).catch(
        (error: unknown) => {
          const isLast = error instanceof AppError && error.code === 'conflict';
          throw isLast ? invalidField('user_id', 'is the last active platform admin') : error;
        },
      );
      return toUser(row);
    },

    /** Keeps the attempt at an account that only a platform admin may change. */
    async recordRefusal({ project, actor }: Caller, action: string, resource: string): Promise<void> {
      await recordDenial(db, { actor, action, resource, project }, 'only a platform admin may change a platform admin');
    },
  };
}
export type UserStore = ReturnType<typeof createUserStore>;

async function lockUser(tx: Tx, { project }: Caller, { id }: UserTarget): Promise<UserRow> {
  const uuid = decodeId('usr', id);
  if (!uuid) throw new AppError('not_found');
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${uuid}::uuid AND project = ${project} FOR NO KEY UPDATE`;
  const row = await tx.user.findFirst({ where: { id: uuid, project } });
  if (!row) throw new AppError('not_found');
  return row;
}

/**
 * Whoever could change a platform admin's address could become that platform admin by mail.
 *
 * @throws AppError not_found for another project's, forbidden, precondition_failed.
 */
function requireAllowed(project: Project, { ifMatch, roles }: UserTarget, user: UserRow): void {
  if (user.project !== project) throw new AppError('not_found');
  if (user.platform_admin && !roles.includes('platform_admin')) throw new AppError('forbidden');
  if (ifMatch && !ifMatch.includes(user.version)) throw new AppError('precondition_failed');
}

function taken(cause: unknown): AppError {
  return new AppError('validation_error', { cause, fields: [{ field: 'email', reason: 'is taken' }] });
}

function toUser(row: UserRow): VersionedUser {
  const { email, name, version } = row;
  return {
    version,
    record: {
      id: encodeId('usr', row.id),
      email,
      name,
      role: row.role === 'admin' ? 'admin' : 'user',
      project: row.project === 'Commerce' ? 'Commerce' : 'Core',
      status: row.status === 'active' ? 'active' : 'inactive',
      created_at: row.created_at.toISOString(),
    },
  };
}
