import {
  changeAccount,
  createUser,
  deactivateUser,
  requireKeptAddress,
  type AccountGuard,
  type UserRow,
} from '@millwright/accounts';
import { recordDenial } from '@millwright/audit';
import { type Caller, type Project, type Role } from '@millwright/auth';
import { decodeId, encodeId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import type { NewUser, User, UserChanges } from './users.contract.js';

/** A user, and the version of the record, from which the ETag is made. */
export interface VersionedUser {
  record: User;
  version: number;
}

/** The account to change, the versions that `If-Match` allows, and the roles of the caller. */
export interface UserTarget {
  id: string;
  ifMatch: readonly number[] | undefined;
  roles: readonly Role[];
}

/** Reads the accounts of one project, and changes them by functions of `@millwright/accounts`. */
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

    /** Creates a user without admin rights in the caller's project. The user cannot sign in until a passkey is enrolled. */
    async create(tx: Tx, { project, actor }: Caller, input: NewUser): Promise<VersionedUser> {
      const { id } = await createUser(tx, { ...input, role: 'user', platformAdmin: false, project }, actor).catch(
        (error: unknown) => {
          throw error instanceof AppError && error.code === 'conflict' ? taken(error) : error;
        },
      );
      return toUser(await tx.user.findUniqueOrThrow({ where: { id: decodeId('usr', id) ?? '' } }));
    },

    /** Changes these fields. Nothing is changed for a field whose new value equals its present value. */
    async change(tx: Tx, { project, actor }: Caller, target: UserTarget, changes: UserChanges): Promise<VersionedUser> {
      const allowTarget = guardOf(project, target);
      const guard: AccountGuard = (user) => {
        allowTarget(user);
        requireKeptAddress(user, changes);
      };
      const row = await changeAccount(tx, requireUuid(target.id), changes, actor, guard).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'conflict' ? taken(error) : error;
      });
      return toUser(row);
    },

    async deactivate(tx: Tx, { project, actor }: Caller, target: UserTarget): Promise<VersionedUser> {
      const guard = guardOf(project, target);
      const row = await deactivateUser(tx, requireUuid(target.id), actor, guard).catch((error: unknown) => {
        const isLast = error instanceof AppError && error.code === 'conflict';
        throw isLast ? invalidField('user_id', 'is the last active platform admin') : error;
      });
      return toUser(row);
    },

    /** Audits a refused change. */
    async recordRefusal({ project, actor }: Caller, action: string, resource: string, reason: string): Promise<void> {
      await recordDenial(db, { actor, action, resource, project }, reason);
    },
  };
}
export type UserStore = ReturnType<typeof createUserStore>;

/** @throws AppError not_found for a malformed user id. */
function requireUuid(id: string): string {
  const uuid = decodeId('usr', id);
  if (!uuid) throw new AppError('not_found');
  return uuid;
}

/**
 * Only a platform admin may change a platform admin.
 *
 * @throws AppError not_found for another project's user, forbidden, precondition_failed.
 */
const guardOf =
  (project: Project, { ifMatch, roles }: UserTarget): AccountGuard =>
  (user) => {
    if (user.project !== project) throw new AppError('not_found');
    if (user.platform_admin && !roles.includes('platform_admin')) throw new AppError('forbidden');
    if (ifMatch && !ifMatch.includes(user.version)) throw new AppError('precondition_failed');
  };

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
      project: row.project,
      status: row.status === 'active' ? 'active' : 'inactive',
      created_at: row.created_at.toISOString(),
    },
  };
}
