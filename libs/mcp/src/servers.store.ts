import { clientIdOf, type Principal, type Project } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import type { Generation } from './generations.js';
import type { UpstreamServer } from './server-auth.js';
import { AVAILABLE } from './tools.store.js';

/** A registered server that is not inactive. */
export interface RegisteredServer extends UpstreamServer {
  slug: string;
  name: string;
  status: 'active' | 'unreachable';
  /** The MCP generations found by the last probe; the list is empty before the first probe. */
  generations: readonly Generation[];
  /** The user whose account is used at the server; undefined when all users share one credential. */
  userId?: string;
}

/** Hashes of approved descriptions, in hex, by the names of tools that agents and clients may use. */
export type AvailableTools = ReadonlyMap<string, string>;

/** Columns of {@link SERVER_COLUMNS}: null in an outer join without a server. */
export interface ServerRow {
  server_id: string | null;
  server_project: string;
  server_slug: string;
  server_name: string;
  url: string;
  headers: RegisteredServer['headers'];
  auth: RegisteredServer['auth'];
  server_status: RegisteredServer['status'];
  generations: Generation[];
  tools: Record<string, string> | null;
}

/** Select list for {@link ServerRow}, of `mcp_servers s`. */
export const SERVER_COLUMNS = `s.id AS server_id, s.project AS server_project, s.slug AS server_slug, s.name AS server_name, s.url, s.headers, s.auth,
  s.status AS server_status, s.generations,
  (SELECT json_object_agg(t.name, encode(t.approved_hash, 'hex')) FROM mcp_tools t
    WHERE t.server_id = s.id AND ${AVAILABLE}) AS tools`;

export function serverOf(
  row: ServerRow | undefined,
): { server: RegisteredServer; available: AvailableTools } | undefined {
  if (!row || row.server_id === null) return undefined;
  const { server_id: id, server_project: project, server_slug: slug, server_name: name, server_status: status } = row;
  const { url, headers, auth, generations, tools } = row;
  const server = { id, project, slug, name, url, headers, auth, status, generations };
  return { server, available: new Map(Object.entries(tools ?? {})) };
}

/** Converts a name to a slug for a lookup. Returns the empty string, which matches no server, for a text that cannot be a slug. */
export const slugOf = (name: string): string => (/^[A-Za-z0-9_-]{1,100}$/.test(name) ? name : '');

/**
 * Returns the server for a call on behalf of a user. If the server requires the user's account or a token that names the user, the call
 * will have this credential.
 */
export function asUser(
  server: RegisteredServer,
  { user, project, credential, delegation }: Pick<Principal, 'user' | 'project' | 'credential' | 'delegation'>,
): RegisteredServer {
  if (server.auth.type === 'user') return { ...server, userId: user.id };
  if (server.auth.type !== 'agent_token') return server;
  const clientId = clientIdOf(credential, user.id);
  return { ...server, hop: { userId: user.id, project, clientId, delegation } };
}

export interface ServerPageRow {
  slug: string;
  name: string;
  description: string;
  version: number;
  /** Names of the server's available tools. */
  tools: string[];
  created_at: Date;
  updated_at: Date;
}

export interface ServerPageQuery {
  /** The slug of the previous page's last server. */
  after?: string | undefined;
  /** Selects only the server with this slug. */
  slug?: string | undefined;
  /** A part of the name or slug, case-insensitive. */
  search?: string | undefined;
  /** Earliest change time, in ISO 8601. */
  updatedSince?: string | undefined;
  limit: number;
}

/** A page of a project's active servers, in order of their slugs. */
export const pageOfActiveServers = (
  db: Database,
  project: Project,
  { after, slug, search, updatedSince, limit }: ServerPageQuery,
): Promise<ServerPageRow[]> =>
  db.prepared<ServerPageRow>(
    'page-of-active-mcp-servers',
    `SELECT s.slug, s.name, s.description, s.version, s.created_at, s.updated_at,
            ARRAY(SELECT t.name FROM mcp_tools t WHERE t.server_id = s.id AND ${AVAILABLE} ORDER BY t.name LIMIT 50) AS tools
       FROM mcp_servers s
      WHERE s.project = $1 AND s.status = 'active' AND s.transport = 'streamable-http' AND ($2::text IS NULL OR s.slug > $2) AND ($3::text IS NULL OR s.slug = $3)
        AND ($4::text IS NULL OR position(lower($4) IN lower(s.slug || ' ' || s.name)) > 0)
        AND ($5::timestamptz IS NULL OR s.updated_at >= $5)
      ORDER BY s.slug LIMIT $6`,
    [project, after ?? null, slug ?? null, search ?? null, updatedSince ?? null, limit],
  );

/** Makes the server's next probe due now. */
export async function markProbeDue(db: Pick<Tx, '$executeRaw'>, serverUuid: string): Promise<void> {
  await db.$executeRaw`
    UPDATE mcp_servers SET probe_due_at = now() WHERE id = ${serverUuid}::uuid AND probe_due_at > now()`;
}
