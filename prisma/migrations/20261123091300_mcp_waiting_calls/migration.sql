-- CreateTable
CREATE TABLE "mcp_upstream_sessions" (
    "server_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "capabilities" TEXT NOT NULL,
    "key" UUID NOT NULL,
    "upstream_hash" BYTEA NOT NULL,
    "upstream_id" TEXT,
    "protocol_version" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_upstream_sessions_pkey" PRIMARY KEY ("server_id","user_id","capabilities")
);

-- CreateTable
CREATE TABLE "mcp_waiting_calls" (
    "id_hash" BYTEA NOT NULL,
    "server_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 0,
    "received" TEXT,
    "reply" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_waiting_calls_pkey" PRIMARY KEY ("id_hash")
);

-- CreateIndex
CREATE INDEX "mcp_upstream_sessions_user_id_idx" ON "mcp_upstream_sessions"("user_id");

-- CreateIndex
CREATE INDEX "mcp_waiting_calls_server_id_idx" ON "mcp_waiting_calls"("server_id");

-- CreateIndex
CREATE INDEX "mcp_waiting_calls_user_id_idx" ON "mcp_waiting_calls"("user_id");

-- CreateIndex
CREATE INDEX "mcp_waiting_calls_used_at_idx" ON "mcp_waiting_calls"("used_at");

-- AddForeignKey
ALTER TABLE "mcp_upstream_sessions" ADD CONSTRAINT "mcp_upstream_sessions_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_upstream_sessions" ADD CONSTRAINT "mcp_upstream_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_waiting_calls" ADD CONSTRAINT "mcp_waiting_calls_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_waiting_calls" ADD CONSTRAINT "mcp_waiting_calls_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "mcp_waiting_calls" ADD CONSTRAINT "mcp_waiting_calls_kind_check" CHECK ("kind" IN ('held', 'approval'));

COMMENT ON CONSTRAINT "mcp_upstream_sessions_server_id_fkey" ON "mcp_upstream_sessions" IS 'bounded: one of a user for each set of capabilities';
COMMENT ON CONSTRAINT "mcp_waiting_calls_server_id_fkey" ON "mcp_waiting_calls" IS 'bounded: 16 of a user, for minutes';
