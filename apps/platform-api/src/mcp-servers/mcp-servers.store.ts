import type { Caller, Project } from '@millwright/auth';
import { removeUsed, reserveSlug, slugify } from '@millwright/catalog';
import { encodeId, type Database, type LockedRecord, type Target, type Tx, type Versioned } from '@millwright/db';
import { approvePresent, countAvailableTools, type SealedAuth, type SealedHeaders } from '@millwright/mcp';
import type { CardSignature } from '@millwright/mcp/outside-agents';
import { defineRecords } from '@millwright/records';
import { listRecords } from '../lists/list-records.js';
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
  transport: string;
  require_signed_card: boolean;
  card_jwks_url: string | null;
  card_signature: string | null;
  pin_tools: boolean;
  tools_count: number;
  last_seen_at: Date | null;
  last_error: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `r.id, r.name, r.slug, r.url, r.description, r.headers, r.auth, r.status, r.transport, r.require_signed_card, r.card_jwks_url,
  r.card_signature, r.pin_tools, r.tools_count, r.last_seen_at, r.last_error, r.version, r.created_at, r.updated_at`;

function toResponse(row: ServerRow): McpServer {
  const { name, slug, url, description, pin_tools, tools_count } = row;
  const { headers, auth, status, transport, card_signature } = narrowed(row);
  return {
    id: encodeId('ms', row.id),
    name,
    slug,
    url,
    description,
    headers: Object.fromEntries(Object.keys(headers).map((header) => [header, KEPT] as const)),
    auth: withoutSecret(auth),
    status,
    transport,
    agent_card:
      transport === 'a2a'
        ? { require_signature: row.require_signed_card, jwks_url: row.card_jwks_url, signature: card_signature }
        : null,
    pin_tools,
    tools_count,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    last_error: status === 'unreachable' ? row.last_error : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Columns whose database types allow more values than the platform API writes. */
type Narrowed = Pick<StoredServer, 'headers' | 'auth'> &
  Pick<McpServer, 'status' | 'transport'> & { card_signature: CardSignature | null };
const narrowed = (row: Readonly<Record<keyof Narrowed, unknown>>) => row as Narrowed;

function withoutSecret(auth: SealedAuth): McpServer['auth'] {
  if (auth.type === 'none' || auth.type === 'agent_token') return auth;
  if (auth.type === 'client_credentials') return { ...auth, client_secret: KEPT };
  const { client_secret, ...shown } = auth;
  return { ...shown, ...(client_secret !== undefined && { client_secret: KEPT }) };
}

/** The columns to store for a server, with encrypted secrets. */
export interface StoredServer {
  name: string;
  url: string;
  description: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  require_signed_card: boolean;
  card_jwks_url: string | null;
  pin_tools: boolean;
}

/** A locked server with the fields that decide whether a change is allowed. */
export interface LockedServer extends LockedRecord {
  url: string;
  transport: McpServer['transport'];
  pin_tools: boolean;
  headers: SealedHeaders;
  auth: SealedAuth;
}

export interface StoredChanges extends Partial<StoredServer> {
  status?: 'active' | 'inactive' | undefined;
}

/** Whether the change can alter the tools of the server. */
export const needsProbe = ({
  url,
  headers,
  auth,
  status,
  require_signed_card,
  card_jwks_url,
}: Readonly<
  Partial<Record<'url' | 'headers' | 'auth' | 'status' | 'require_signed_card' | 'card_jwks_url', unknown>>
>) => [url, headers, auth, status, require_signed_card, card_jwks_url].some((field) => field !== undefined);

const SERVERS = defineRecords<ServerRow, McpServer>({
  table: 'mcp_servers',
  prefix: 'ms',
  noun: 'mcp_server',
  columns: COLUMNS,
  bytes: 'octet_length(r.description)',
  toResponse,
});

/** MCP servers of the platform API. Every function reads and changes only one project. */
export function createMcpServerStore(db: Database) {
  return {
    find: (project: Project, id: string) => SERVERS.find(db, project, id),

    list: (project: Project, query: ServerListQuery) => listRecords(db.reads, SERVERS, project, query),

    async create(
      tx: Tx,
      caller: Caller,
      id: string,
      input: StoredServer & Pick<McpServer, 'transport'>,
    ): Promise<Versioned<McpServer>> {
      const { project } = caller;
      const slug = await reserveSlug(
        tx,
        `mcp-server-slug:${project}`,
        slugify(input.name) || SERVERS.idOf(id),
        (candidates) => tx.mcpServer.findMany({ where: { project, slug: { in: candidates } }, select: { slug: true } }),
      );
      const row = await SERVERS.create(
        tx,
        caller,
        (columns) => tx.mcpServer.create({ data: { ...input, ...columns, slug } }),
        ({ name, url }) => ({
          name,
          slug,
          url,
          headers: Object.keys(input.headers),
          transport: input.transport,
          auth: input.auth.type,
        }),
        id,
      );
      return SERVERS.toVersioned(row);
    },

    /** @throws AppError not_found, precondition_failed */
    async lock(tx: Tx, caller: Caller, target: Target): Promise<LockedServer> {
      const current = await SERVERS.lock(tx, caller, target);
      const row = await tx.mcpServer.findUniqueOrThrow({ where: { id: current.id } });
      const { url, pin_tools } = row;
      const { headers, auth, transport } = narrowed(row);
      return { ...current, url, transport, pin_tools, headers, auth };
    },

    /** Sets these fields of the locked server. An empty set changes nothing. */
    async change(tx: Tx, caller: Caller, current: LockedServer, changes: StoredChanges): Promise<Versioned<McpServer>> {
      const where = { id: current.id };
      const set = Object.entries(changes).filter(([, value]) => value !== undefined);
      const fields = set.map(([name]) => name);
      if (fields.length === 0) return SERVERS.toVersioned(await tx.mcpServer.findUniqueOrThrow({ where }));
      const moved = changes.url !== undefined && changes.url !== current.url;
      if (moved) await tx.mcpTool.deleteMany({ where: { server_id: current.id } });
      else if (changes.pin_tools === false) await approvePresent(tx, current.id);
      const unseen = moved && {
        pinned_at: null,
        last_seen_at: null,
        last_error: null,
        generations: [],
        card_signature: null,
        ...(current.status !== 'inactive' && { status: 'active' }),
      };
      const data = {
        ...unseen,
        ...changes,
        tools_count: await countAvailableTools(tx, current.id),
        ...(needsProbe(changes) && { probe_due_at: new Date() }),
        updated_at: new Date(),
      };
      const row = await SERVERS.change(
        tx,
        caller,
        current,
        (next) => tx.mcpServer.update({ where, data: { ...data, ...next } }),
        ({ url }) => ({ fields, ...(moved && { url }) }),
      );
      return SERVERS.toVersioned(row);
    },

    /** Removes the server from its agents, which get new versions. */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      removeUsed(tx, caller, target, 'mcp_servers', SERVERS),

    async read(tx: Tx, uuid: string): Promise<Versioned<McpServer>> {
      return SERVERS.toVersioned(await tx.mcpServer.findUniqueOrThrow({ where: { id: uuid } }));
    },
  };
}
export type McpServerStore = ReturnType<typeof createMcpServerStore>;
