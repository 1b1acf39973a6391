import type { Principal } from '@millwright/auth';
import { OFFERED, type UpstreamServer } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import {
  joinSession,
  SESSION_COLUMNS,
  sessionHash,
  sessionOf,
  type Session,
  type SessionRow,
} from './sessions.store.js';

/** A registered server as the relay needs it. */
export interface RelayedServer extends UpstreamServer {
  slug: string;
  name: string;
  status: 'active' | 'unreachable';
  /** Whose own account is used there; undefined where one is used for all. */
  userId?: string;
}

/** Name → hash of its approved description, in hex. */
export type Offered = ReadonlyMap<string, string>;

/** A server with what it has on offer, and the session with it that the client named. */
export interface Registered {
  server: RelayedServer;
  offered: Offered;
  session: Session | undefined;
}

/** Without a server, all is null. */
export interface RegisteredRow extends SessionRow {
  server_id: string | null;
  server_slug: string;
  server_name: string;
  url: string;
  headers: RelayedServer['headers'];
  auth: RelayedServer['auth'];
  server_status: RelayedServer['status'];
  tools: Record<string, string> | null;
}

/** Select list and table for {@link RegisteredRow}; the session `m` has to be joined. */
export const REGISTERED_COLUMNS = `s.id AS server_id, s.slug AS server_slug, s.name AS server_name, s.url, s.headers, s.auth,
  s.status AS server_status,
  (SELECT json_object_agg(t.name, encode(t.approved_hash, 'hex')) FROM mcp_tools t
    WHERE t.server_id = s.id AND ${OFFERED}) AS tools, ${SESSION_COLUMNS}`;
export const REGISTERED = 'mcp_servers s';

/** The session is by the id that the client knows it by. */
export function registeredOf(row: RegisteredRow | undefined, sessionId: string | undefined): Registered | undefined {
  if (!row || row.server_id === null) return undefined;
  const { server_id: id, server_slug: slug, server_name: name, url, headers, auth, server_status: status, tools } = row;
  return {
    server: { id, slug, name, url, headers, auth, status },
    offered: new Map(Object.entries(tools ?? {})),
    session: sessionOf(row, sessionId),
  };
}

/** What cannot be a slug is no server's. */
export const slugOf = (name: string): string => (/^[A-Za-z0-9_-]{1,100}$/.test(name) ? name : '');

const FIND = `
  SELECT ${REGISTERED_COLUMNS} FROM ${REGISTERED} ${joinSession('$3', '$4')}
   WHERE s.project = $1 AND s.slug = $2 AND s.status <> 'inactive'`;

/** `undefined` unless the principal's project has a server of that slug that is not inactive. */
export async function findRegistered(
  db: Database,
  { project, user }: Principal,
  name: string,
  sessionId: string | undefined,
): Promise<Registered | undefined> {
  const values = [project, slugOf(name), user.id, sessionHash(sessionId)];
  const [row] = await db.prepared<RegisteredRow>('find-relayed-server', FIND, values);
  return registeredOf(row, sessionId);
}
