-- What is registered proves itself with its headers alone, as before.
ALTER TABLE "mcp_servers" ADD COLUMN     "auth" JSON NOT NULL DEFAULT '{"type":"none"}';

ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_auth_check CHECK (auth ->> 'type' IN ('none', 'client_credentials', 'user'));
