-- What a probe found: the generations of MCP that the server speaks (none: not known yet), and why it was not reached.
ALTER TABLE "mcp_servers" ADD COLUMN     "generations" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "last_error" TEXT;

ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_generations_check" CHECK ("generations" <@ ARRAY['v2025', 'v2026']);
