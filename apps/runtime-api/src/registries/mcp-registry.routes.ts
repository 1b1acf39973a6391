import { allowsTool, type ToolList } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { AVAILABLE } from '@millwright/mcp';
import { equals, listPage } from '@millwright/records';
import { nextLink } from '../lists/registry-page.js';
import { BUILTIN } from '../tools/builtin-names.js';
import type { createToolList } from '../mcp/builtin/tools.js';
import { endpointOf } from '../mcp/endpoint/mcp-call.js';
import { listMcpServers, type McpRegistryEntry } from './mcp-registry.contract.js';

interface ListedServer {
  /** Slug of the server, which paths contain. */
  name: string;
  /** Names of the server's available tools. */
  tools: string[];
}

const TOOLS = `FROM mcp_tools t WHERE t.server_id = s.id AND ${AVAILABLE}`;

/** Part of the query for active servers with their available tools. */
const SERVERS = {
  name: 'registered-servers',
  table: 'mcp_servers',
  alias: 's',
  columns: `s.slug AS name, ARRAY(SELECT t.name ${TOOLS} ORDER BY t.name) AS tools`,
  bytes: `(SELECT coalesce(sum(octet_length(t.name)), 0) ${TOOLS})`,
};

export function mcpRegistryRoutes(
  db: Database,
  listBuiltinTools: ReturnType<typeof createToolList>,
  runtimeUrl: string,
): Route[] {
  const entry = ({ name, tools }: ListedServer, mcpTools: ToolList | undefined): McpRegistryEntry => ({
    name,
    endpoint: endpointOf(runtimeUrl, name),
    transport: 'streamable-http',
    tools: tools.filter((tool) => allowsTool([mcpTools], name, tool)),
  });
  return [
    route(listMcpServers, async ({ caller, principal, query }) => {
      const { limit, offset } = query;
      const conditions = [
        ...[equals('s.project', caller.project), equals('s.status', 'active')],
        equals('s.transport', 'streamable-http'),
      ];
      const [{ rows, total }, { tools }] = await Promise.all([
        listPage<ListedServer>(db.reads, SERVERS, { conditions, sort: 'created_at', direction: 'asc', limit, offset }),
        listBuiltinTools(principal),
      ]);
      const builtin = { name: BUILTIN, tools: tools.map(({ name }) => name) };
      const servers = [...(offset === 0 ? [builtin] : []), ...rows].map((server) => entry(server, principal.mcpTools));
      return { body: { servers }, headers: nextLink(listMcpServers.path, query, rows.length, total) };
    }),
  ];
}
