import { requireUser, type UserRow } from '@millwright/auth';
import { encodeId, type Database, type Tx } from '@millwright/db';
import type { ListQuery } from './users.contract.js';

/** A row of `users` with what its passkeys and sessions tell. */
interface ListedRow extends Omit<UserRow, 'webauthn_user_id'> {
  passkeys: number;
  last_seen_at: Date | null;
}

const COLUMNS = `u.id, u.name, u.email, u.role, u.platform_admin, u.project, u.status, u.self_registered, u.deleted_at, u.version,
  u.created_at, u.updated_at,
  (SELECT count(*)::int FROM passkeys p WHERE p.user_id = u.id AND p.removed_at IS NULL) AS passkeys,
  (SELECT max(s.last_seen_at) FROM user_sessions s WHERE s.user_id = u.id) AS last_seen_at`;

const FILTER = `($1::text IS NULL OR u.name ILIKE $1 OR u.email ILIKE $1) AND ($2::text IS NULL OR u.status = $2)
   AND ($3::text IS NULL OR u.role = $3) AND ($4::text IS NULL OR u.project = $4)`;

/** The newest of each are shown, this many. */
const SHOWN = 100;

const iso = (time: Date | null) => time?.toISOString() ?? null;

export function createUserStore(db: Database) {
  return {
    async list(query: ListQuery): Promise<{ items: object[]; total: number }> {
      const search = query.search?.trim();
      const pattern = search ? `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;
      const values = [pattern, query.status ?? null, query.role ?? null, query.project ?? null];
      const { sort, order, per_page, page } = query;
      const [rows, counted] = await Promise.all([
        db.prepared<ListedRow>(
          `list-users-${sort}-${order}`,
          `SELECT ${COLUMNS} FROM users u WHERE ${FILTER} ORDER BY u.${sort} ${order}, u.id ${order} LIMIT $5 OFFSET $6`,
          [...values, per_page, (page - 1) * per_page],
        ),
        db.prepared<{ n: number }>('count-users', `SELECT count(*)::int AS n FROM users u WHERE ${FILTER}`, values),
      ]);
      return { items: rows.map(toUser), total: counted[0]?.n ?? 0 };
    },

    /** An account with what it is signed in with and acts by; `currentSession` is the session that asks. */
    async find(id: string, currentSession: string) {
      const [row] = await db.prepared<ListedRow>('find-user', `SELECT ${COLUMNS} FROM users u WHERE u.id = $1`, [id]);
      if (!row) return undefined;
      // Ids made later sort later.
      const newest = { orderBy: { id: 'desc' }, take: SHOWN } as const;
      const [sessions, keys, clients, devices] = await Promise.all([
        db.prisma.userSession.findMany({
          where: { user_id: id, revoked_at: null, expires_at: { gt: new Date() } },
          orderBy: [{ last_seen_at: 'desc' }, { id: 'desc' }],
          take: SHOWN,
        }),
        db.prisma.userApiKey.findMany({ where: { user_id: id }, ...newest }),
        db.prisma.oAuthClient.findMany({ where: { user_id: id }, ...newest }),
        db.prisma.device.findMany({ where: { user_id: id }, ...newest, include: { key: true } }),
      ]);
      const detail = {
        ...toUser(row),
        sessions: sessions.map((session) => toSession(session, currentSession)),
        keys: keys.map(toKey),
        clients: clients.map((client) => ({
          ...client,
          created_at: client.created_at.toISOString(),
          last_used_at: iso(client.last_used_at),
          revoked_at: iso(client.revoked_at),
        })),
        devices: devices.map(toDevice),
      };
      return { detail, version: row.version };
    },

    /** An account as lists show it, in the transaction that changed it. */
    async shown(tx: Tx, id: string) {
      const [row] = await tx.$queryRawUnsafe<ListedRow[]>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1::uuid`, id);
      if (!row) throw new Error('an account that was just changed is not there');
      return { body: toUser(row), version: row.version };
    },

    async idOf(tx: Tx, email: string): Promise<string> {
      return (await requireUser(tx, email)).id;
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

type SessionRow = NonNullable<Awaited<ReturnType<Tx['userSession']['findUnique']>>>;

function toSession({ id, method, ip, user_agent, created_at, last_seen_at }: SessionRow, current: string) {
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

/** A device whose token was revoked is revoked. */
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
