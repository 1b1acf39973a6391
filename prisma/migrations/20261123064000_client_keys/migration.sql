-- Clients that authenticate by a key of their own (RFC 7523 §2.2), and assertions that are good once.

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "jwks" JSON,
ADD COLUMN     "jwks_uri" TEXT;

-- CreateTable
CREATE TABLE "oauth_used_assertions" (
    "id" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_used_assertions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "oauth_used_assertions_expires_at_idx" ON "oauth_used_assertions"("expires_at");

ALTER TABLE oauth_used_assertions ADD CONSTRAINT oauth_used_assertions_id_check CHECK (octet_length(id) = 32);
ALTER TABLE oauth_clients DROP CONSTRAINT oauth_clients_auth_method_check;
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_auth_method_check
  CHECK (auth_method IN ('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none')
    AND (auth_method IN ('private_key_jwt', 'none')) = (secret_hash IS NULL)
    AND (auth_method = 'private_key_jwt') = (jwks IS NOT NULL OR jwks_uri IS NOT NULL)
    AND (jwks IS NULL OR jwks_uri IS NULL));

CREATE TRIGGER oauth_used_assertions_expires_at_never_later BEFORE UPDATE OF expires_at ON oauth_used_assertions FOR EACH ROW
  WHEN (NEW.expires_at > OLD.expires_at) EXECUTE FUNCTION refuse_to_services('expires_at is never moved later');
CREATE TRIGGER sso_logout_tokens_expires_at_never_later BEFORE UPDATE OF expires_at ON sso_logout_tokens FOR EACH ROW
  WHEN (NEW.expires_at > OLD.expires_at) EXECUTE FUNCTION refuse_to_services('expires_at is never moved later');

-- Servers that get a token of this installation with each call.
ALTER TABLE mcp_servers DROP CONSTRAINT mcp_servers_auth_check;
ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_auth_check
  CHECK (auth ->> 'type' IN ('none', 'client_credentials', 'user', 'agent_token'));
