-- CreateTable
CREATE TABLE "mcp_servers" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "headers" JSON NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'active',
    "transport" TEXT NOT NULL DEFAULT 'streamable-http',
    "pin_tools" BOOLEAN NOT NULL DEFAULT true,
    "tools_count" INTEGER NOT NULL DEFAULT 0,
    "last_seen_at" TIMESTAMPTZ(3),
    "pinned_at" TIMESTAMPTZ(3),
    "probe_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_servers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mcp_tools" (
    "server_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "input_schema" JSON NOT NULL,
    "hash" BYTEA NOT NULL,
    "present" BOOLEAN NOT NULL DEFAULT true,
    "approved_description" TEXT,
    "approved_input_schema" JSON,
    "approved_hash" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_tools_pkey" PRIMARY KEY ("server_id","name")
);

-- CreateTable
CREATE TABLE "agent_mcp_servers" (
    "agent_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_mcp_servers_pkey" PRIMARY KEY ("agent_id","server_id")
);

-- CreateIndex
CREATE INDEX "mcp_servers_project_created_at_id_idx" ON "mcp_servers"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "mcp_servers_project_updated_at_id_idx" ON "mcp_servers"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "mcp_servers_project_name_id_idx" ON "mcp_servers"("project", "name", "id");

-- CreateIndex
CREATE INDEX "mcp_servers_probe_due_at_idx" ON "mcp_servers"("probe_due_at");

-- CreateIndex
CREATE INDEX "mcp_servers_search_idx" ON "mcp_servers" USING GIN ("name" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "mcp_servers_project_name_key" ON "mcp_servers"("project", "name");

-- CreateIndex
CREATE UNIQUE INDEX "mcp_servers_project_slug_key" ON "mcp_servers"("project", "slug");

-- CreateIndex
CREATE INDEX "agent_mcp_servers_server_id_idx" ON "agent_mcp_servers"("server_id");

-- AddForeignKey
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mcp_tools" ADD CONSTRAINT "mcp_tools_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_mcp_servers" ADD CONSTRAINT "agent_mcp_servers_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_mcp_servers" ADD CONSTRAINT "agent_mcp_servers_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "mcp_servers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_status_check CHECK (status IN ('active', 'inactive', 'unreachable'));
ALTER TABLE mcp_servers ADD CONSTRAINT mcp_servers_slug_check CHECK (slug <> 'platform');
ALTER TABLE mcp_tools ADD CONSTRAINT mcp_tools_approved_check
  CHECK ((approved_hash IS NULL) = (approved_description IS NULL) AND (approved_hash IS NULL) = (approved_input_schema IS NULL));
