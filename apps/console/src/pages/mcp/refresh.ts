/** What shows MCP servers and their tools. */
export const REFRESH = [['platform', 'api', 'v1', 'mcp']] as const;
