import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import {
  approvePresent,
  countOffered,
  slugCandidates,
  slugify,
  type SealedAuth,
  type SealedHeaders,
  raiseAgents,
} from '@millwright/catalog';
import {
  addToCount,
  conflictWhenTaken,
  decodeId,
  encodeId,
  lockRecord,
  moveCount,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
import { KEPT, type McpServer, type ServerListQuery } from './mcp-servers.contract.js';

interface ServerRow {
  id: string;
  name: string;
  slug: string;
  url: string;
  description: string;
  headers: unknown;
  auth: unknown;
  status: string;
  pin_tools: boolean;
  tools_count: number;
  last_seen_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `r.id, r.name, r.slug, r.url, r.description, r.headers, r.auth, r.status, r.pin_tools, r.tools_count, r.last_seen_at,
  r.version, r.created_at, r.updated_at`;

function toServer(row: ServerRow): Versioned<McpServer> {
  const { name, slug, url, description, pin_tools, tools_count, version } = row;
  return {
    version,
    record: {
      id: encodeId('ms', row.id),
      name,
      slug,
      url,
      description,
      headers: Object.fromEntries(Object.keys(row.headers as SealedHeaders).map((header) => [header, KEPT] as const)),
      auth: shownAuth(row.auth as SealedAuth),
      status: row.status as McpServer['status'],
      transport: 'streamable-http',
      pin_tools,
      tools_count,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}

function shownAuth(auth: SealedAuth): McpServer['auth'] {
  if (auth.type === 'none') return auth;
  if (auth.type === 'client_credentials') return { ...auth, client_secret: KEPT };
  const { client_secret, ...shown } = auth;
  return { ...shown, ...(client_secret !== undefined && { client_secret: KEPT }) };
}

/** A server as it is to be stored: its secrets sealed. */
export interface StoredServer {
  name: string;
  url: string;
  description: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  pin_tools: boolean;
}

/** What a change is decided by. */
export interface LockedServer {
  id: string;
  url: string;
  pin_tools: boolean;
  headers: SealedHeaders;
  auth: SealedAuth;
  status: string;
}

export interface StoredChanges extends Partial<StoredServer> {
  status?: 'active' | 'inactive' | undefined;
}

/** Whether what is known of a server's tools may be another after this change. */
export const needsProbe = ({
  url,
  headers,
  auth,
  status,
}: Readonly<Partial<Record<'url' | 'headers' | 'auth' | 'status', unknown>>>) =>
  [url, headers, auth, status].some((field) => field !== undefined);

const SERVERS: RecordSource<ServerRow, Versioned<McpServer>> = {
  kind: 'mcp_servers',
  prefix: 'ms',
  columns: COLUMNS,
  toShown: toServer,
};

/** The only file that reads and writes MCP servers for area B. Every function sees one project and nothing else. */
export function createMcpServerStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, SERVERS, project, id),

    list: (project: Project, query: ServerListQuery) => listRecords(db, SERVERS, project, query),

    async create(tx: Tx, { project, actor }: Caller, id: string, input: StoredServer): Promise<Versioned<McpServer>> {
      const resource = encodeId('ms', id);
      const slug = await reserveSlug(tx, project, slugify(input.name) || resource);
      const now = new Date();
      const row = await tx.mcpServer
        .create({ data: { ...input, id, slug, project, created_by: actor.userId, created_at: now, updated_at: now } })
        .catch(conflictWhenTaken);
      await addToCount(tx, { project, kind: 'mcp_servers', status: row.status }, 1);
      const detail = { name: row.name, slug, url: row.url, headers: Object.keys(input.headers), auth: input.auth.type };
      await recordDecision(tx, { actor, action: 'mcp_server.create', resource, project, detail });
      return toServer(row);
    },

    /** @throws AppError not_found, precondition_failed */
    async lock(tx: Tx, { project }: Caller, target: Target): Promise<LockedServer> {
      const { id, status } = await lockRecord(tx, 'mcp_servers', project, decodeId('ms', target.id), target.ifMatch);
      const { url, pin_tools, headers, auth } = await tx.mcpServer.findUniqueOrThrow({ where: { id } });
      return { id, status, url, pin_tools, headers: headers as SealedHeaders, auth: auth as SealedAuth };
    },

    /** Sets these fields of the locked server. Without any, the record stays as it is. */
    async change(
      tx: Tx,
      { project, actor }: Caller,
      current: LockedServer,
      changes: StoredChanges,
    ): Promise<Versioned<McpServer>> {
      const where = { id: current.id };
      const given = (Object.keys(changes) as (keyof StoredChanges)[]).filter((field) => changes[field] !== undefined);
      if (given.length === 0) return toServer(await tx.mcpServer.findUniqueOrThrow({ where }));
      const moved = changes.url !== undefined && changes.url !== current.url;
      if (moved) await tx.mcpTool.deleteMany({ where: { server_id: current.id } });
      else if (changes.pin_tools === false) await approvePresent(tx, current.id);
      const unseen = moved && {
        pinned_at: null,
        last_seen_at: null,
        ...(current.status !== 'inactive' && { status: 'active' }),
      };
      const row = await tx.mcpServer
        .update({
          where,
          data: {
            ...unseen,
            ...changes,
            tools_count: await countOffered(tx, current.id),
            ...(needsProbe(changes) && { probe_due_at: new Date() }),
            version: { increment: 1 },
            updated_at: new Date(),
          },
        })
        .catch(conflictWhenTaken);
      await moveCount(tx, { project, kind: 'mcp_servers', status: current.status }, row.status);
      const detail = { fields: given, ...(moved && { url: row.url }) };
      await recordDecision(tx, {
        actor,
        action: 'mcp_server.update',
        resource: encodeId('ms', row.id),
        project,
        detail,
      });
      return toServer(row);
    },

    /** Agents that use it lose it, which is a change of theirs. */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'mcp_servers', project, decodeId('ms', target.id), target.ifMatch);
      const losing = await tx.agentMcpServer.findMany({ where: { server_id: current.id }, select: { agent_id: true } });
      await tx.mcpServer.delete({ where: { id: current.id } });
      await raiseAgents(
        tx,
        actor,
        losing.map(({ agent_id }) => agent_id),
      );
      await addToCount(tx, { project, kind: 'mcp_servers', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'mcp_server.delete', resource: target.id, project });
    },

    async read(tx: Tx, uuid: string): Promise<Versioned<McpServer>> {
      return toServer(await tx.mcpServer.findUniqueOrThrow({ where: { id: uuid } }));
    },
  };
}
export type McpServerStore = ReturnType<typeof createMcpServerStore>;

/** How many candidates are looked up at first. */
const SLUGS_AT_FIRST = 8;

/** A slug free in the project; others who could come to want the same one wait for this transaction. */
async function reserveSlug(tx: Tx, project: Project, base: string): Promise<string> {
  const stem = base.replace(/(-\d+)+$/, '');
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mcp-server-slug:${project}:${stem}`}, 0))`;
  for (let count = SLUGS_AT_FIRST; ; count *= 8) {
    const candidates = slugCandidates(base, count);
    const where = { project, slug: { in: candidates } };
    const taken = new Set((await tx.mcpServer.findMany({ where, select: { slug: true } })).map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
