-- AlterTable
ALTER TABLE "mcp_servers" ADD COLUMN     "card_jwks_url" TEXT,
ADD COLUMN     "card_signature" TEXT,
ADD COLUMN     "require_signed_card" BOOLEAN NOT NULL DEFAULT false;


ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_transport_check CHECK (transport IN ('streamable-http', 'a2a'));
ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_card_signature_check CHECK (card_signature IN ('verified', 'unsigned', 'invalid'));
