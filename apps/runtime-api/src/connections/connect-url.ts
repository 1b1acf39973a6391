/** The address at which a user connects an account to an MCP server (`ms_…`), in a browser. */
export const connectUrlOf = (runtimeUrl: string, serverId: string) => `${runtimeUrl}/connections/${serverId}`;
