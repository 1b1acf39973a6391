-- What is there may use every tool, as before.
ALTER TABLE "agents" ADD COLUMN     "mcp_tools" TEXT[] DEFAULT ARRAY['*']::TEXT[];

ALTER TABLE "oauth_clients" ADD COLUMN     "mcp_tools" TEXT[] DEFAULT ARRAY['*']::TEXT[];
