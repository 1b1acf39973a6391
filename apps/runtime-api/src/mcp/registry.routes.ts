import { allowsTool, type ToolList } from '@millwright/auth/tool-lists';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { listActiveServers, type ListedServer } from '@millwright/mcp';
import { BUILTIN } from './builtin/names.js';
import type { createToolList } from './builtin/tools.js';
import { endpointOf } from './endpoint/mcp-call.js';
import { listMcpServers, type McpRegistryEntry } from './registry.contract.js';

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
    route(listMcpServers, async ({ caller, principal }) => {
      const [registered, tools] = await Promise.all([
        listActiveServers(db, caller.project),
        listBuiltinTools(principal),
      ]);
      const builtin = { name: BUILTIN, tools: tools.map(({ name }) => name) };
      return { body: { servers: [builtin, ...registered].map((server) => entry(server, principal.mcpTools)) } };
    }),
  ];
}
