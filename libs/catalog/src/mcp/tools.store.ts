import type { Project } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import type { SealedAuth } from './auth.js';
import type { SealedHeaders } from './headers.js';
import { hashTool, type McpToolDefinition } from './tool-list.js';

/** What makes a tool `t` one on offer: it is there, and as it was approved. */
export const OFFERED = 't.present AND t.approved_hash = t.hash';

/** How many tools a probe found new or changed, found gone, and approved. */
export interface ToolChanges {
  changed: number;
  gone: number;
  approved: number;
}

/** Keeps the tools that a probe saw. Those that are not approved and gone are forgotten, so that a server cannot fill our disk. */
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
 * A tool that is on offer since only its name, description and input schema were pinned counts as approved with what the first probe
 * sees of its other members. Whatever was approved since has them.
 */
function adoptMembers(tx: Tx, serverUuid: string, rows: string): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE mcp_tools t
        SET members = s.members::json, hash = decode(s.hash, 'hex'),
            approved_members = s.members::json, approved_hash = decode(s.hash, 'hex')
       FROM json_to_recordset($2::json) AS s(name text, members text, hash text, basic_hash text)
      WHERE t.server_id = $1::uuid AND t.name = s.name AND t.approved_members IS NULL
        AND ${OFFERED} AND t.hash = decode(s.basic_hash, 'hex')`,
    serverUuid,
    rows,
  );
}

/** Approves the tools that are there, or the one of a name, as they are now. */
export async function approvePresent(tx: Tx, serverUuid: string, name: string | null = null): Promise<number> {
  return tx.$executeRaw`
    UPDATE mcp_tools
       SET approved_description = description, approved_input_schema = input_schema, approved_members = members,
           approved_hash = hash, updated_at = now()
     WHERE server_id = ${serverUuid}::uuid AND (${name}::text IS NULL OR name = ${name})
       AND present AND approved_hash IS DISTINCT FROM hash`;
}

export async function countOffered(tx: Tx, serverUuid: string): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM mcp_tools t WHERE t.server_id = $1::uuid AND ${OFFERED}`;
  const [row] = await tx.$queryRawUnsafe<[{ n: number }]>(text, serverUuid);
  return row.n;
}

/** What an agent's model is told of a tool. */
type ToldTool = Pick<McpToolDefinition, 'name' | 'description' | 'input_schema'>;

/** A tool as an agent's model is told of it, and whose it is. */
export interface OfferedTool extends ToldTool {
  /** The server's UUID. */
  server_id: string;
  server_slug: string;
}

/** The tools on offer at those of these servers (UUIDs) that are active, in the order of the servers. */
export async function listOfferedTools(
  db: Database,
  project: Project,
  serverUuids: readonly string[],
): Promise<OfferedTool[]> {
  if (serverUuids.length === 0) return [];
  return db.prepared<OfferedTool>(
    'list-offered-tools',
    `SELECT s.id AS server_id, s.slug AS server_slug, t.name, t.approved_description AS description,
            t.approved_input_schema AS input_schema
       FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id
      WHERE s.project = $1 AND s.id = ANY($2::uuid[]) AND s.status = 'active' AND ${OFFERED}
      ORDER BY array_position($2::uuid[], s.id), t.name`,
    [project, serverUuids],
  );
}

/** What a call of one tool needs; undefined unless the tool is on offer at an active server of the project. */
export interface CallableTool extends ToldTool {
  server_name: string;
  url: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  hash: Buffer;
}

export async function findCallableTool(
  db: Database,
  project: Project,
  serverUuid: string,
  name: string,
): Promise<CallableTool | undefined> {
  const [tool] = await db.prepared<CallableTool>(
    'find-callable-tool',
    `SELECT s.name AS server_name, s.url, s.headers, s.auth, t.name, t.approved_description AS description,
            t.approved_input_schema AS input_schema, t.approved_hash AS hash
       FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id
      WHERE s.project = $1 AND s.id = $2 AND t.name = $3 AND s.status = 'active' AND ${OFFERED}`,
    [project, serverUuid, name],
  );
  return tool;
}
