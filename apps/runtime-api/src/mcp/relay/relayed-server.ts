import type { Project } from '@millwright/auth';
import { OFFERED, type UpstreamServer } from '@millwright/catalog';
import type { Database } from '@millwright/db';

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

/** A server with what it has on offer. */
export interface Registered {
  server: RelayedServer;
  offered: Offered;
}

/** Without a server, all is null. */
export interface RegisteredRow {
  server_id: string | null;
  server_slug: string;
  server_name: string;
  url: string;
  headers: RelayedServer['headers'];
  auth: RelayedServer['auth'];
  server_status: RelayedServer['status'];
  tools: Record<string, string> | null;
}

/** Select list and table for {@link RegisteredRow}. */
export const REGISTERED_COLUMNS = `s.id AS server_id, s.slug AS server_slug, s.name AS server_name, s.url, s.headers, s.auth,
  s.status AS server_status,
  (SELECT json_object_agg(t.name, encode(t.approved_hash, 'hex')) FROM mcp_tools t
    WHERE t.server_id = s.id AND ${OFFERED}) AS tools`;
export const REGISTERED = 'mcp_servers s';

export function registeredOf(row: RegisteredRow | undefined): Registered | undefined {
  if (!row || row.server_id === null) return undefined;
  const { server_id: id, server_slug: slug, server_name: name, url, headers, auth, server_status: status, tools } = row;
  return { server: { id, slug, name, url, headers, auth, status }, offered: new Map(Object.entries(tools ?? {})) };
}

/** What cannot be a slug is no server's. */
export const slugOf = (name: string): string => (/^[A-Za-z0-9_-]{1,100}$/.test(name) ? name : '');

/** `undefined` unless the project has a server of that slug that is not inactive. */
export async function findRegistered(db: Database, project: Project, name: string): Promise<Registered | undefined> {
  const text = `SELECT ${REGISTERED_COLUMNS} FROM ${REGISTERED} WHERE s.project = $1 AND s.slug = $2 AND s.status <> 'inactive'`;
  const [row] = await db.prepared<RegisteredRow>('find-relayed-server', text, [project, slugOf(name)]);
  return registeredOf(row);
}
