-- Each authorization server has a redirect URI of its own: registrations without one are made again.
ALTER TABLE "mcp_upstream_clients" ADD COLUMN "redirect_uri" TEXT;
