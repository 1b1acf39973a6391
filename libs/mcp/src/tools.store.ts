import type { Project } from '@millwright/auth';
import type { StoredToolRule } from '@millwright/auth/tool-rules';
import { Prisma, type Database, type Tx } from '@millwright/db';
import type { SealedAuth } from './server-auth.js';
import type { SealedHeaders } from './server-headers.js';
import { hashTool, type McpToolDefinition } from './tool-list.js';

/** SQL condition that a tool `t` is available: its server lists it with the approved description. */
export const AVAILABLE = 't.present AND t.approved_hash = t.hash';

/** The result of a probe: the numbers of tools that are new or changed, of tools that the server no longer lists, and of tools that were approved. */
export interface ToolChanges {
  changed: number;
  gone: number;
  approved: number;
}

/**
 * Stores the tools that a probe found. Deletes unapproved tools that the server no longer lists, so that no server can
 * fill the disk.
 */
export async function storeTools(
  tx: Tx,
  serverUuid: string,
  tools: readonly McpToolDefinition[],
  approve: boolean,
): Promise<ToolChanges> {
  const names = tools.map(({ name }) => name);
  const rows = JSON.stringify(tools.map(toRow));
  const adopted = await adoptMembers(tx, serverUuid, rows);
  const forgotten = await tx.$executeRaw`
    DELETE FROM mcp_tools
     WHERE server_id = ${serverUuid}::uuid AND approved_hash IS NULL AND name <> ALL(${names})`;
  const removed = await tx.$executeRaw`
    UPDATE mcp_tools SET present = false, updated_at = now()
     WHERE server_id = ${serverUuid}::uuid AND present AND name <> ALL(${names})`;
  const changed = await tx.$executeRaw`
    INSERT INTO mcp_tools (server_id, name, description, input_schema, members, hash)
    SELECT ${serverUuid}::uuid, s.name, s.description, s.input_schema::json, s.members::json, decode(s.hash, 'hex')
      FROM json_to_recordset(${rows}::json)
           AS s(name text, description text, input_schema text, members text, hash text)
    ON CONFLICT (server_id, name) DO UPDATE
       SET description = excluded.description, input_schema = excluded.input_schema, members = excluded.members,
           hash = excluded.hash, present = true, updated_at = now()
     WHERE mcp_tools.hash <> excluded.hash OR NOT mcp_tools.present`;
  const approved = approve ? await approvePresent(tx, serverUuid) : 0;
  return { changed, gone: forgotten + removed, approved: adopted + approved };
}

function toRow(tool: McpToolDefinition) {
  const { name, description, input_schema, ...members } = tool;
  return {
    name,
    description,
    input_schema: JSON.stringify(input_schema),
    members: JSON.stringify(members),
    hash: hashTool(tool).toString('hex'),
    basic_hash: hashTool({ name, description, input_schema }).toString('hex'),
  };
}

/**
 * Pins the other members of tools that were approved when only name, description and input schema were pinned. The
 * members that the first probe finds count as approved. Later approvals include all members.
 */
function adoptMembers(tx: Tx, serverUuid: string, rows: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE mcp_tools t
       SET members = s.members::json, hash = decode(s.hash, 'hex'),
           approved_members = s.members::json, approved_hash = decode(s.hash, 'hex')
      FROM json_to_recordset(${rows}::json) AS s(name text, members text, hash text, basic_hash text)
     WHERE t.server_id = ${serverUuid}::uuid AND t.name = s.name AND t.approved_members IS NULL
       AND ${Prisma.raw(AVAILABLE)} AND t.hash = decode(s.basic_hash, 'hex')`;
}

/** Approves the current descriptions of all listed tools, or of the tool with this name. */
export async function approvePresent(tx: Tx, serverUuid: string, name: string | null = null): Promise<number> {
  return tx.$executeRaw`
    UPDATE mcp_tools
       SET approved_description = description, approved_input_schema = input_schema, approved_members = members,
           approved_hash = hash, updated_at = now()
     WHERE server_id = ${serverUuid}::uuid AND (${name}::text IS NULL OR name = ${name})
       AND present AND approved_hash IS DISTINCT FROM hash`;
}

export async function countAvailableTools(tx: Tx, serverUuid: string): Promise<number> {
  const [row] = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n FROM mcp_tools t WHERE t.server_id = ${serverUuid}::uuid AND ${Prisma.raw(AVAILABLE)}`;
  return row.n;
}

/** The part of a tool that an agent's model reads. */
type ModelTool = Pick<McpToolDefinition, 'name' | 'description' | 'input_schema'>;

/** A tool in the form for an agent's model, with its server. */
export interface AvailableTool extends ModelTool, StoredToolRule {
  /** UUID of the MCP server. */
  server_id: string;
  server_slug: string;
  server_name: string;
  /** Hash of the approved definition. */
  hash: Buffer;
  /**
   * Whether a call with an unknown outcome may be repeated, because an admin marked exactly this definition as
   * repeatable.
   */
  is_repeatable: boolean;
  /** Whether a changed definition needs an admin's approval. */
  is_pinned: boolean;
}

/** The rule of a tool `t`, with the policy `p` of its project. */
const RULE_COLUMNS = `t.rule, coalesce(t.rule_hash = t.approved_hash, false) AS is_rule_current,
            t.other_decider OR coalesce(p.other_decider, false) AS other_decider, p.unmarked_tools`;

/** Finds the rule of an available tool of a server. */
export async function findToolRule(
  db: Database,
  serverUuid: string,
  name: string,
): Promise<StoredToolRule | undefined> {
  const [rule] = await db.prepared<StoredToolRule>(
    'find-tool-rule',
    `SELECT ${RULE_COLUMNS} FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id
       LEFT JOIN tool_policies p ON p.project = s.project
      WHERE s.id = $1 AND t.name = $2 AND ${AVAILABLE}`,
    [serverUuid, name],
  );
  return rule;
}

/** Lists the available tools of the active servers among the given servers (UUIDs), in the order of the servers. */
export async function listAvailableTools(
  db: Database,
  project: Project,
  serverUuids: readonly string[],
): Promise<AvailableTool[]> {
  if (serverUuids.length === 0) return [];
  return db.prepared<AvailableTool>(
    'list-available-tools',
    `SELECT s.id AS server_id, s.slug AS server_slug, s.name AS server_name, t.name, t.approved_description AS description,
            t.approved_input_schema AS input_schema, t.approved_hash AS hash,
            coalesce(t.repeatable_hash = t.approved_hash, false) AS is_repeatable, s.pin_tools AS is_pinned, ${RULE_COLUMNS}
       FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id LEFT JOIN tool_policies p ON p.project = s.project
      WHERE s.project = $1 AND s.id = ANY($2::uuid[]) AND s.status = 'active' AND ${AVAILABLE}
      ORDER BY array_position($2::uuid[], s.id), t.name`,
    [project, serverUuids],
  );
}

/** The data that a call of one tool needs. */
export interface CallableTool extends ModelTool {
  server_name: string;
  url: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  transport: string;
  require_signed_card: boolean;
  card_jwks_url: string | null;
  hash: Buffer;
}

/**
 * Finds the data for a call. Returns `undefined` unless the tool is available and its server is active in the project.
 */
export async function findCallableTool(
  db: Database,
  project: Project,
  serverUuid: string,
  name: string,
): Promise<CallableTool | undefined> {
  const [tool] = await db.prepared<CallableTool>(
    'find-callable-tool',
    `SELECT s.name AS server_name, s.url, s.headers, s.auth, s.transport, s.require_signed_card, s.card_jwks_url, t.name, t.approved_description AS description,
            t.approved_input_schema AS input_schema, t.approved_hash AS hash
       FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id
      WHERE s.project = $1 AND s.id = $2 AND t.name = $3 AND s.status = 'active' AND ${AVAILABLE}`,
    [project, serverUuid, name],
  );
  return tool;
}

/** The approved schema of an available tool's arguments. */
export async function findApprovedSchema(db: Database, serverUuid: string, name: string): Promise<unknown> {
  const [tool] = await db.prepared<{ schema: unknown }>(
    'find-approved-schema',
    `SELECT t.approved_input_schema AS schema FROM mcp_tools t
      WHERE t.server_id = $1 AND t.name = $2 AND ${AVAILABLE}`,
    [serverUuid, name],
  );
  return tool?.schema;
}

/** Whether an available tool of a server of 2025-11-25 is called as a task (`execution.taskSupport`). */
export async function findTaskSupport(db: Database, serverUuid: string, name: string): Promise<string | undefined> {
  const [tool] = await db.prepared<{ support: string | null }>(
    'find-task-support',
    `SELECT t.approved_members #>> '{other_members,execution,taskSupport}' AS support FROM mcp_tools t
      WHERE t.server_id = $1 AND t.name = $2 AND ${AVAILABLE}`,
    [serverUuid, name],
  );
  return tool?.support ?? undefined;
}
