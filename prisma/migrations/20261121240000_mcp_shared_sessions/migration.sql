-- CreateTable
CREATE TABLE "mcp_shared_sessions" (
    "server_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key" UUID NOT NULL,
    "upstream_hash" BYTEA NOT NULL,
    "upstream_id" TEXT,
    "protocol_version" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_shared_sessions_pkey" PRIMARY KEY ("server_id","user_id")
);

-- CreateIndex
CREATE INDEX "mcp_shared_sessions_user_id_idx" ON "mcp_shared_sessions"("user_id");

-- AddForeignKey
ALTER TABLE "mcp_shared_sessions" ADD CONSTRAINT "mcp_shared_sessions_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_shared_sessions" ADD CONSTRAINT "mcp_shared_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
