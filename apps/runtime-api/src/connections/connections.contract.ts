import { endpoint } from '@millwright/http';
import { z } from 'zod';

const Connection = z.object({
  /** Id of the MCP server. */
  server_id: z.string(),
  name: z.string(),
  slug: z.string(),
  connected: z.boolean(),
  connected_at: z.string().nullable(),
  scope: z.string().nullable(),
  /** The address at which the user connects an account, in a browser. */
  connect_url: z.string(),
});
export type Connection = z.output<typeof Connection>;

export const listConnections = endpoint({
  operationId: 'listMcpConnections',
  method: 'GET',
  path: '/api/v1/mcp/connections',
  summary: 'MCP servers that ask for an account of your own, and whether you connected one',
  tag: 'MCP',
  access: { scope: 'mcp:read' },
  limit: 'credential',
  success: {
    status: 200,
    description: 'The servers, oldest first',
    body: z.object({ connections: z.array(Connection) }),
  },
  errors: [],
});

export const endConnection = endpoint({
  operationId: 'endMcpConnection',
  method: 'DELETE',
  path: '/api/v1/mcp/connections/{server_id}',
  summary: 'Disconnect your account from an MCP server',
  tag: 'MCP',
  access: { scope: 'mcp:call' },
  limit: 'credential',
  params: z.object({ server_id: z.string() }),
  success: {
    status: 200,
    description: 'Your token is deleted, and revoked where it came from',
    body: z.object({ server_id: z.string() }),
  },
  errors: ['not_found'],
});
