-- Sessions of the built-in MCP server have no registered server.
ALTER TABLE "mcp_sessions" ALTER COLUMN "server_id" DROP NOT NULL;
