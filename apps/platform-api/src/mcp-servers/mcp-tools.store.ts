import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { approvePresent, countAvailableTools, AVAILABLE } from '@millwright/mcp';
import { decodeId, lockRecord, type Database, type Target, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { contains, listPage, partOf } from '@millwright/records';
import type { McpTool, QuarantinedTool, ToolDefinition, ToolListQuery } from './mcp-servers.contract.js';
import { differencesOf } from './tool-difference.js';

interface ToolRow {
  name: string;
  description: string;
  input_schema: McpTool['input_schema'];
  hash: Buffer;
  present: boolean;
  approved_description: string | null;
  approved_input_schema: McpTool['input_schema'] | null;
  members: Members;
  approved_members: Members | null;
}
type Members = Omit<ToolDefinition, 'description' | 'input_schema'>;

/** SQL condition: the tool is new, or it was changed or removed after its approval. */
const QUARANTINED =
  '(t.present AND t.approved_hash IS DISTINCT FROM t.hash) OR (NOT t.present AND t.approved_hash IS NOT NULL)';

const SEARCHED = { offered: 't.approved_description', quarantined: 't.description' };

const COLUMNS =
  't.name, t.description, t.input_schema, t.members, t.hash, t.present, t.approved_description, t.approved_input_schema, t.approved_members';

const bytesOf = (...columns: string[]) =>
  columns.map((column) => `coalesce(octet_length(t.${column}::text), 0)`).join(' + ');
/** SQL for the size of a tool in each list, in bytes. A quarantined tool is listed with its differences, which contain both versions. */
const BYTES = {
  offered: bytesOf('approved_input_schema', 'approved_members'),
  quarantined: `2 * (${bytesOf('input_schema', 'members', 'approved_input_schema', 'approved_members')})`,
};

/** Tools of MCP servers. Callers must have checked that the server belongs to their project. */
export function createMcpToolStore(db: Database) {
  async function page(which: 'offered' | 'quarantined', serverUuid: string, query: ToolListQuery) {
    const { page, per_page, skip, sort, order } = query;
    const search = query.search?.trim();
    const filter = which === 'offered' ? AVAILABLE : QUARANTINED;
    const { rows, total, cut } = await listPage<ToolRow>(
      db.reads,
      {
        name: `${which}-tools`,
        table: 'mcp_tools',
        alias: 't',
        columns: COLUMNS,
        bytes: BYTES[which],
        key: ['server_id', 'name'],
      },
      {
        conditions: [
          { sql: (server) => `t.server_id = ${server} AND (${filter})`, value: serverUuid },
          ...(search ? [contains(['t.name', SEARCHED[which]], search)] : []),
        ],
        sort,
        direction: order,
        ...partOf(page, per_page, skip),
      },
    );
    return { rows, total, page, per_page, cut };
  }

  return {
    async listOffered(serverId: string, query: ToolListQuery) {
      const { rows, ...envelope } = await page('offered', decodeId('ms', serverId) ?? '', query);
      return { items: rows.map(approvedTool), ...envelope };
    },

    async listQuarantined(serverId: string, query: ToolListQuery) {
      const { rows, ...envelope } = await page('quarantined', decodeId('ms', serverId) ?? '', query);
      return { items: rows.map(toQuarantined), ...envelope };
    },

    /**
     * Makes the reviewed definition of a tool available.
     *
     * @throws AppError not_found; precondition_failed when the tool has changed since the review
     */
    async approve(tx: Tx, { project, actor }: Caller, target: Target, name: string, hash: string): Promise<McpTool> {
      const { id } = await lockRecord(tx, 'mcp_servers', project, decodeId('ms', target.id), target.ifMatch);
      const where = { server_id_name: { server_id: id, name } };
      const tool = await tx.mcpTool.findUnique({ where });
      if (!tool?.present) throw new AppError('not_found');
      if (Buffer.from(tool.hash).toString('hex') !== hash) throw new AppError('precondition_failed');
      const shown = { name, description: tool.description, input_schema: tool.input_schema as McpTool['input_schema'] };
      if (tool.approved_hash && Buffer.from(tool.approved_hash).equals(tool.hash)) return shown;
      await approvePresent(tx, id, name);
      const tools_count = await countAvailableTools(tx, id);
      await tx.mcpServer.update({
        where: { id },
        data: { tools_count, version: { increment: 1 }, updated_at: new Date() },
      });
      const detail = { tool: name, hash };
      await recordDecision(tx, { actor, action: 'mcp_server.approve_tool', resource: target.id, project, detail });
      return shown;
    },
  };
}
export type McpToolStore = ReturnType<typeof createMcpToolStore>;

function approvedTool({ name, approved_description, approved_input_schema }: ToolRow): McpTool {
  return { name, description: approved_description ?? '', input_schema: approved_input_schema ?? {} };
}

function toQuarantined(row: ToolRow): QuarantinedTool {
  const { name, description, input_schema, members, present, hash } = row;
  const { approved_description, approved_input_schema, approved_members } = row;
  const approved =
    approved_description === null || approved_input_schema === null
      ? null
      : { description: approved_description, input_schema: approved_input_schema, ...approved_members };
  const current = present ? { description, input_schema, ...members } : null;
  return {
    name,
    reason: !present ? 'removed' : approved ? 'changed' : 'new',
    hash: present ? hash.toString('hex') : null,
    approved,
    current,
    difference: differencesOf(approved ?? {}, current ?? {}),
  };
}
