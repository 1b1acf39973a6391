/**
 * The places of sealed values. A value can be opened only for the place for which it was sealed, so renaming a place makes its stored
 * values unreadable.
 */
export const secretPlaces = {
  plugin: (id: string) => `plugin:${id}`,
  mcpHeader: (serverId: string, name: string) => `mcp_servers/${serverId}/headers/${name}`,
  mcpClientSecret: (serverId: string) => `mcp_servers/${serverId}/auth/client_secret`,
  mcpConnection: (serverId: string, userId: string, column: 'client_secret' | 'access_token' | 'refresh_token') =>
    `mcp_connections/${serverId}/${userId}/${column}`,
  mcpUpstreamClient: (serverId: string, issuer: string) => `mcp_upstream_clients/${serverId}/${issuer}/client_secret`,
  mcpConnectionRequest: (requestHash: Buffer) => `mcp_connection_requests/${requestHash.toString('hex')}/pending`,
  webhook: (id: string) => `webhooks/${id}/secret`,
  trigger: (id: string) => `triggers/${id}/secret`,
  model: (id: string) => `models/${id}/api_key`,
  pushConfig: (runId: string, id: string) => `push_configs/${runId}/${id}`,
  /** The secret of an OAuth client in the stored answer to the request that created the client or rotated its secret. */
  clientAnswer: (clientId: string) => `idempotency_keys/oauth_clients/${clientId}/client_secret`,
  /** The API key in the stored answer to the request that created the key. */
  apiKeyAnswer: (id: string) => `idempotency_keys/user_api_keys/${id}/key`,
} as const;
