-- CreateTable
CREATE TABLE "mcp_connections" (
    "server_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "upstream_hash" BYTEA NOT NULL,
    "issuer" TEXT NOT NULL,
    "token_endpoint" TEXT NOT NULL,
    "revocation_endpoint" TEXT,
    "client_id" TEXT NOT NULL,
    "client_auth" TEXT NOT NULL,
    "client_secret" TEXT,
    "resource" TEXT NOT NULL,
    "access_token" TEXT NOT NULL,
    "refresh_token" TEXT,
    "scope" TEXT,
    "wanted_scope" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "refreshing_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_connections_pkey" PRIMARY KEY ("server_id","user_id")
);

-- CreateTable
CREATE TABLE "mcp_connection_requests" (
    "request_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "server_id" UUID NOT NULL,
    "user_id" UUID,
    "state_hash" BYTEA,
    "pending" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_connection_requests_pkey" PRIMARY KEY ("request_hash")
);

-- CreateTable
CREATE TABLE "mcp_upstream_clients" (
    "server_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_auth" TEXT NOT NULL,
    "client_secret" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_upstream_clients_pkey" PRIMARY KEY ("server_id","issuer")
);

-- CreateIndex
CREATE INDEX "mcp_connections_user_id_idx" ON "mcp_connections"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "mcp_connection_requests_state_hash_key" ON "mcp_connection_requests"("state_hash");

-- CreateIndex
CREATE INDEX "mcp_connection_requests_server_id_idx" ON "mcp_connection_requests"("server_id");

-- CreateIndex
CREATE INDEX "mcp_connection_requests_user_id_idx" ON "mcp_connection_requests"("user_id");

-- CreateIndex
CREATE INDEX "mcp_connection_requests_expires_at_idx" ON "mcp_connection_requests"("expires_at");

-- AddForeignKey
ALTER TABLE "mcp_connections" ADD CONSTRAINT "mcp_connections_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_connections" ADD CONSTRAINT "mcp_connections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_connection_requests" ADD CONSTRAINT "mcp_connection_requests_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_connection_requests" ADD CONSTRAINT "mcp_connection_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_upstream_clients" ADD CONSTRAINT "mcp_upstream_clients_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE mcp_connections ADD CONSTRAINT mcp_connections_hash_check CHECK (octet_length(upstream_hash) = 32);
ALTER TABLE mcp_connections ADD CONSTRAINT mcp_connections_client_auth_check CHECK (client_auth IN ('client_secret_basic', 'client_secret_post', 'none'));
ALTER TABLE mcp_connection_requests ADD CONSTRAINT mcp_connection_requests_hash_check
    CHECK (octet_length(request_hash) = 32 AND octet_length(browser_hash) = 32 AND octet_length(state_hash) = 32);
ALTER TABLE mcp_upstream_clients ADD CONSTRAINT mcp_upstream_clients_client_auth_check CHECK (client_auth IN ('client_secret_basic', 'client_secret_post', 'none'));
