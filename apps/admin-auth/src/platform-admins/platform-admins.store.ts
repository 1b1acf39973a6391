import { announceRevocation, lockAccount, queueNotice, type NoticeKind } from '@millwright/accounts';
import { recordDecision, type Actor } from '@millwright/audit';
import { roleColumns } from '@millwright/auth';
import { conflictWhenTaken, encodeId, isUuid, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { PlatformAdminRequest } from './platform-admins.contract.js';

/** Hours until a pending request expires. The database allows no longer time. */
const LIFE_HOURS = 24;
/** Limit of the platform admins who get a message, oldest accounts first. */
const MOST_NOTICES = 100;
const SHOWN = 100;

const person = { select: { id: true, name: true, email: true } } as const;
const people = { user: person, requester: person } as const;

type Person = Record<'id' | 'name' | 'email', string>;
interface Row {
  id: string;
  user: Person;
  requester: Person;
  created_at: Date;
  expires_at: Date;
}

const shown = ({ id, name, email }: Person) => ({ id: encodeId('usr', id), name, email });
const toRequest = ({ id, user, requester, created_at, expires_at }: Row): PlatformAdminRequest => ({
  id,
  user: shown(user),
  requested_by: shown(requester),
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

const conflict = (reason: string) => new AppError('conflict', { fields: [{ field: 'request', reason }] });

export async function listPending(db: Database): Promise<PlatformAdminRequest[]> {
  const rows = await db.prisma.platformAdminRequest.findMany({
    where: { outcome: null, expires_at: { gt: new Date() } },
    include: people,
    orderBy: { id: 'desc' },
    take: SHOWN,
  });
  return rows.map(toRequest);
}

async function notifyPlatformAdmins(tx: Tx, kind: NoticeKind, actor: Actor): Promise<void> {
  const where = { platform_admin: true, status: 'active' };
  const admins = await tx.user.findMany({ where, orderBy: { id: 'asc' }, take: MOST_NOTICES });
  for (const admin of admins) await queueNotice(tx, admin, kind, actor);
}

/** Writes an audit row that names both people: the actor, and the other person in the detail. */
const record = (tx: Tx, actor: Actor, act: 'request' | 'confirm' | 'refuse' | 'expire', { id, user, requester }: Row) =>
  recordDecision(tx, {
    actor,
    action: `platform_admin.${act}`,
    resource: encodeId('usr', user.id),
    detail: { request: id, requested_by: requester.email },
  });

/**
 * Requests that an active account becomes a platform admin.
 *
 * @throws AppError not_found when the account does not exist; conflict when it is the actor's own account, is inactive, is a platform admin
 * or has an open request.
 */
export async function requestPlatformAdmin(tx: Tx, userId: string, actor: Actor): Promise<PlatformAdminRequest> {
  const user = await lockAccount(tx, userId, () => undefined);
  if (user.id === actor.userId || user.platform_admin) throw conflict('is for an account that is no platform admin');
  if (user.status !== 'active') throw conflict('is for an active account');
  await expirePlatformAdminRequests(tx, actor);
  const made = await tx.platformAdminRequest
    .create({
      data: {
        id: newId(),
        user_id: userId,
        requested_by: actor.userId,
        expires_at: new Date(Date.now() + LIFE_HOURS * 3_600_000),
      },
      include: people,
    })
    .catch(conflictWhenTaken);
  await record(tx, actor, 'request', made);
  await notifyPlatformAdmins(tx, 'platform_admin_requested', actor);
  return toRequest(made);
}

/** Locks a pending request. @throws AppError not_found when there is no such request, conflict when it was decided or has expired. */
async function lockPending(tx: Tx, id: string): Promise<Row & { user_id: string; requested_by: string }> {
  if (!isUuid(id)) throw new AppError('not_found');
  await tx.$queryRaw`SELECT id FROM platform_admin_requests WHERE id = ${id}::uuid FOR UPDATE`;
  const found = await tx.platformAdminRequest.findUnique({ where: { id }, include: people });
  if (!found) throw new AppError('not_found');
  if (found.outcome !== null) throw conflict(`was ${found.outcome} before`);
  if (found.expires_at <= new Date()) throw conflict('has expired');
  return found;
}

const decide = (tx: Tx, id: string, outcome: 'confirmed' | 'refused', actor: Actor) =>
  tx.platformAdminRequest.update({
    where: { id },
    data: { outcome, decided_by: actor.userId, decided_at: new Date() },
  });

/**
 * Makes the account of a pending request a platform admin. Only one of several confirmations succeeds.
 *
 * @throws AppError not_found when there is no such request; forbidden when the actor is the requester or the account itself; conflict when
 * the request was decided or has expired, when the account is inactive, or when the requester is no longer a platform admin.
 */
export async function confirmPlatformAdmin(tx: Tx, id: string, actor: Actor): Promise<void> {
  const pending = await lockPending(tx, id);
  const { user_id: userId, requested_by } = pending;
  if (actor.userId === requested_by || actor.userId === userId) throw new AppError('forbidden');
  const user = await lockAccount(tx, userId, () => undefined);
  if (user.status !== 'active') throw conflict('is for an active account');
  const where = { id: requested_by, platform_admin: true, status: 'active' };
  if ((await tx.user.count({ where })) === 0)
    throw conflict('was made by an account that is no platform admin any more');
  await decide(tx, id, 'confirmed', actor);
  await tx.user.update({
    where: { id: userId },
    data: { ...roleColumns('admin'), platform_admin: true, version: { increment: 1 } },
  });
  // Ends open streams, because they were authorized with the former role.
  await announceRevocation(tx, userId);
  await record(tx, actor, 'confirm', pending);
  await notifyPlatformAdmins(tx, 'platform_admin_made', actor);
}

/**
 * Refuses a pending request, or withdraws the actor's own request.
 * @throws AppError not_found when there is no such request, conflict when it was decided or has expired.
 */
export async function refusePlatformAdmin(tx: Tx, id: string, actor: Actor): Promise<void> {
  const pending = await lockPending(tx, id);
  await decide(tx, id, 'refused', actor);
  await record(tx, actor, 'refuse', pending);
  await notifyPlatformAdmins(tx, 'platform_admin_refused', actor);
}

/** Ends at most 100 expired requests. @returns the number of ended requests. */
export async function expirePlatformAdminRequests(tx: Tx, actor: Actor): Promise<number> {
  const over = await tx.platformAdminRequest.findMany({
    where: { outcome: null, expires_at: { lte: new Date() } },
    include: people,
    take: SHOWN,
  });
  for (const request of over) {
    const where = { id: request.id, outcome: null };
    const { count } = await tx.platformAdminRequest.updateMany({
      where,
      data: { outcome: 'expired', decided_at: new Date() },
    });
    if (count > 0) await record(tx, actor, 'expire', request);
  }
  return over.length;
}
