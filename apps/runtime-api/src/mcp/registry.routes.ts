import { route, type Route } from '@millwright/http';
import { listMcpServers, type McpRegistryEntry } from './registry.contract.js';
import type { McpServerStore, RegisteredServer } from './servers.store.js';

/** Where clients reach an MCP server through us. */
export const endpointOf = (runtimeUrl: string, name: string) => `${runtimeUrl}/api/v1/mcp/${name}/mcp`;

export function mcpRegistryRoutes(servers: McpServerStore, runtimeUrl: string): Route[] {
  const entry = ({ name, tools }: RegisteredServer): McpRegistryEntry => ({
    name,
    endpoint: endpointOf(runtimeUrl, name),
    transport: 'streamable-http',
    tools,
  });
  return [
    route(listMcpServers, async ({ caller }) => ({
      body: { servers: (await servers.list(caller.project)).map(entry) },
    })),
  ];
}
