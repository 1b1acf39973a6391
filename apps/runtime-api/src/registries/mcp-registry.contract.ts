import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { RegistryQuery } from '../lists/registry-page.js';

export const McpRegistryEntry = z.object({
  name: z.string(),
  endpoint: z.string(),
  transport: z.literal('streamable-http'),
  tools: z.array(z.string()),
});
export type McpRegistryEntry = z.output<typeof McpRegistryEntry>;

export const listMcpServers = endpoint({
  operationId: 'listMcpServers',
  method: 'GET',
  path: '/api/v1/mcp/registry',
  summary: 'List the MCP servers with their available tools',
  tag: 'MCP',
  access: { scope: 'mcp:read' },
  limit: 'credential',
  query: RegistryQuery,
  success: { status: 200, description: 'The registry', body: z.object({ servers: z.array(McpRegistryEntry) }) },
  errors: [],
});
