import { allowsTool, type ToolList } from '@millwright/auth';
import { route, type Route } from '@millwright/http';
import { listMcpServers, type McpRegistryEntry } from './registry.contract.js';
import { PLATFORM } from './platform/scopes.js';
import type { createToolList } from './platform/tools.js';
import type { McpServerStore, RegisteredServer } from './servers.store.js';

/** Where clients reach an MCP server through us. */
export const endpointOf = (runtimeUrl: string, name: string) => `${runtimeUrl}/api/v1/mcp/${name}/mcp`;

export function mcpRegistryRoutes(
  servers: McpServerStore,
  listOwnTools: ReturnType<typeof createToolList>,
  runtimeUrl: string,
): Route[] {
  const entry = ({ name, tools }: RegisteredServer, mcpTools: ToolList | undefined): McpRegistryEntry => ({
    name,
    endpoint: endpointOf(runtimeUrl, name),
    transport: 'streamable-http',
    tools: tools.filter((tool) => allowsTool([mcpTools], name, tool)),
  });
  return [
    route(listMcpServers, async ({ caller, principal }) => {
      const [registered, own] = await Promise.all([servers.list(caller.project), listOwnTools(principal)]);
      const platform = { name: PLATFORM, tools: own.map(({ name }) => name) };
      return { body: { servers: [platform, ...registered].map((server) => entry(server, principal.mcpTools)) } };
    }),
  ];
}
