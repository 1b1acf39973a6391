import { requireUserByEmail, type UserRow } from '@millwright/accounts';
import { encodeId, Prisma, type Database, type Tx } from '@millwright/db';
import { contains, equals, listPage, MOST_COUNTED, offsetOf } from '@millwright/records';
import type { ListedSession, SessionStore } from '../sessions/sessions.store.js';
import type { ListQuery } from './users.contract.js';

/** A row of `users` with figures from its passkeys and sessions. */
interface ListedRow extends Omit<UserRow, 'webauthn_user_id'> {
  passkeys: number;
  last_seen_at: Date | null;
}

/** Limit of the records of each kind that are shown or counted for an account, newest first. */
const SHOWN = 100;

/** The assigned role of an account; an admin has no delegated role. */
const ROLE = `coalesce(r.delegated_role, r.role)`;

/**
 * Columns of an account. `last_seen` is read only from the account's live sessions and its latest session, because an account may have many
 * ended sessions.
 */
const COLUMNS = `r.id, r.name, r.email, ${ROLE} AS role, r.platform_admin, r.project, r.status, r.self_registered, r.deleted_at, r.version,
  r.created_at, r.updated_at,
  (SELECT count(*)::int FROM (SELECT FROM passkeys p WHERE p.user_id = r.id AND p.removed_at IS NULL LIMIT ${SHOWN}) p) AS passkeys,
  (SELECT max(s.last_seen_at) FROM (
     (SELECT last_seen_at FROM user_sessions WHERE user_id = r.id AND revoked_at IS NULL AND expires_at > now() LIMIT ${SHOWN})
     UNION ALL (SELECT last_seen_at FROM user_sessions WHERE user_id = r.id ORDER BY created_at DESC LIMIT ${SHOWN})) s) AS last_seen_at`;

const iso = (time: Date | null) => time?.toISOString() ?? null;

export function createUserStore(db: Database, sessions: Pick<SessionStore, 'list'>) {
  return {
    async list({ page, per_page, sort, order, ...filter }: ListQuery): Promise<{ items: object[]; total: number }> {
      const search = filter.search?.trim();
      const conditions = search ? [contains(['r.name', 'r.email::text'], search)] : [];
      for (const column of ['status', 'project'] as const)
        if (filter[column] !== undefined) conditions.push(equals(`r.${column}`, filter[column], column));
      if (filter.role !== undefined) conditions.push(equals(ROLE, filter.role, 'role'));
      const source = { name: 'users', table: 'users', columns: COLUMNS };
      const range = { limit: per_page, offset: offsetOf(page, per_page), mostCounted: MOST_COUNTED };
      const request = { conditions, sort, direction: order, ...range };
      const { rows, total } = await listPage<ListedRow>(db.reads, source, request);
      return { items: rows.map(toUser), total };
    },

    projectOf: (id: string): Promise<{ project: string } | null> =>
      db.prisma.user.findUnique({ where: { id }, select: { project: true } }),

    /** Returns an account with its sessions, keys, clients and devices. `currentSession` is the session of the request. */
    async find(id: string, currentSession: string) {
      const [row] = await db.prepared<ListedRow>('find-user', `SELECT ${COLUMNS} FROM users r WHERE r.id = $1`, [id]);
      if (!row) return undefined;
      // Sorts by id, because later records have greater ids.
      const newest = { orderBy: { id: 'desc' }, take: SHOWN } as const;
      const [live, keys, clients, devices] = await Promise.all([
        sessions.list(id, SHOWN),
        db.prisma.userApiKey.findMany({ where: { user_id: id }, ...newest }),
        db.prisma.oAuthClient.findMany({ where: { user_id: id }, ...newest }),
        db.prisma.device.findMany({ where: { user_id: id }, ...newest, include: { key: true } }),
      ]);
      const detail = {
        ...toUser(row),
        sessions: live.map((session) => toSession(session, currentSession)),
        keys: keys.map(toKey),
        clients: clients.map((client) => ({
          ...client,
          created_at: client.created_at.toISOString(),
          expires_at: iso(client.expires_at),
          last_used_at: iso(client.last_used_at),
          revoked_at: iso(client.revoked_at),
        })),
        devices: devices.map(toDevice),
      };
      return { detail, version: row.version };
    },

    /** Returns an account in the form of a list entry. `tx` is the transaction that changed the account. */
    async shown(tx: Tx, id: string) {
      const [row] = await tx.$queryRaw<
        ListedRow[]
      >`SELECT ${Prisma.raw(COLUMNS)} FROM users r WHERE r.id = ${id}::uuid`;
      if (!row) throw new Error('an account that was just changed is not there');
      return { body: toUser(row), version: row.version };
    },

    async idOf(tx: Tx, email: string): Promise<string> {
      return (await requireUserByEmail(tx, email)).id;
    },
  };
}
export type UserStore = ReturnType<typeof createUserStore>;

function toUser(row: ListedRow) {
  const { name, email, role, platform_admin, project, status, self_registered, passkeys } = row;
  return {
    id: encodeId('usr', row.id),
    ...{ name, email, role, platform_admin, project, status, self_registered, passkeys },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_seen_at: iso(row.last_seen_at),
    deleted_at: iso(row.deleted_at),
  };
}

function toSession({ id, method, ip, user_agent, created_at, last_seen_at }: ListedSession, current: string) {
  const times = { created_at: created_at.toISOString(), last_seen_at: last_seen_at.toISOString() };
  return { id: encodeId('ses', id), method, ip, user_agent, ...times, current: encodeId('ses', id) === current };
}

type KeyRow = NonNullable<Awaited<ReturnType<Tx['userApiKey']['findUnique']>>>;

function toKey({ id, kind, name, public_id, scopes, plan, project, successor_id, ...times }: KeyRow) {
  return {
    id: encodeId('key', id),
    ...{ kind, name, scopes, plan, project },
    prefix: `${kind === 'pat' ? 'mw_pat_' : 'mw_live_'}${public_id}`,
    created_at: times.created_at.toISOString(),
    expires_at: iso(times.expires_at),
    last_used_at: iso(times.last_used_at),
    revoked_at: iso(times.revoked_at),
    successor_id: successor_id && encodeId('key', successor_id),
  };
}

type DeviceRow = NonNullable<Awaited<ReturnType<Tx['device']['findUnique']>>> & { key: KeyRow };

/** Converts a device to the form of an answer. When the token of a device was revoked, the device counts as revoked. */
export function toDevice({ id, name, created_at, last_used_at, expires_at, revoked_at, key }: DeviceRow) {
  return {
    id: encodeId('dev', id),
    device_name: name,
    created_at: created_at.toISOString(),
    last_used_at: iso(last_used_at),
    expires_at: expires_at.toISOString(),
    revoked_at: iso(revoked_at ?? key.revoked_at),
  };
}
