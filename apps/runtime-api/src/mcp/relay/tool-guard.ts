import { recordAction, recordDenial } from '@millwright/audit';
import { callerOf } from '@millwright/auth';
import { definitionOf, hashTool, OFFERED } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { calledTool, INVALID_PARAMS, JsonRpcRefusal, type McpRequest } from '../json-rpc.js';
import type { McpCall } from '../mcp-call.js';
import type { Inspector } from './inspect.js';
import type { Offered, RelayedServer } from './relayed-server.js';

/** Lets through what is on offer as it was approved, to a client that may use it, and nothing else. */
export function createToolGuard(db: Database, inspect: Inspector) {
  async function isOffered(server: RelayedServer, offered: Offered, name: unknown): Promise<boolean> {
    const approved = typeof name === 'string' ? offered.get(name) : undefined;
    if (approved === undefined) return false;
    const { tools } = await inspect.now(server);
    if (tools.get(String(name)) === approved) return true;
    await db.prisma.$executeRaw`UPDATE mcp_servers SET probe_due_at = now() WHERE id = ${server.id}::uuid`;
    return false;
  }

  return {
    /** The arguments of a tool on offer, as they were approved. */
    async schemaOf(server: RelayedServer, name: unknown): Promise<unknown> {
      const [tool] = await db.prepared<{ schema: unknown }>(
        'find-offered-schema',
        `SELECT t.approved_input_schema AS schema FROM mcp_tools t
          WHERE t.server_id = $1 AND t.name = $2 AND ${OFFERED}`,
        [server.id, String(name)],
      );
      return tool?.schema;
    },

    /** Records the call before it is made, without its arguments. @throws JsonRpcRefusal for a tool that is not on offer */
    async admitCall(
      server: RelayedServer,
      offered: Offered,
      { principal, from }: McpCall,
      message: McpRequest,
    ): Promise<void> {
      const { project, actor } = callerOf(principal, from);
      const tool = calledTool(message);
      const resource = encodeId('ms', server.id);
      const acting = { ...actor, kind: 'mcp' as const, label: server.name };
      const entry = { actor: acting, action: 'mcp.call', resource, project, detail: { tool } };
      if (await isOffered(server, offered, message.params['name'])) return recordAction(db, entry);
      await recordDenial(db, entry, 'the tool is not on offer');
      throw new JsonRpcRefusal(200, INVALID_PARAMS, `Unknown tool: ${tool}`, message.id);
    },
  };
}
export type ToolGuard = ReturnType<typeof createToolGuard>;

/** A message without the tools that are not on offer; the message itself when it lists none that are to go. */
export function withoutUnoffered(message: unknown, offered: Offered): unknown {
  const tools = (message as { result?: { tools?: unknown } } | null)?.result?.tools;
  if (!Array.isArray(tools)) return message;
  const kept = tools.filter((tool) => isAsApproved(tool, offered));
  if (kept.length === tools.length) return message;
  const { result, ...rest } = message as { result: object };
  return { ...rest, result: { ...result, tools: kept } };
}

function isAsApproved(listed: unknown, offered: Offered): boolean {
  const tool = definitionOf(listed);
  const approved = typeof tool.name === 'string' ? offered.get(tool.name) : undefined;
  return approved !== undefined && approved === hashTool(tool).toString('hex');
}
