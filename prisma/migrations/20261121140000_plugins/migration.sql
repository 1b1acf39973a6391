-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "content_tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "context_messages" ADD COLUMN     "call_id" TEXT,
ADD COLUMN     "tool_calls" JSON;

-- CreateTable
CREATE TABLE "plugins" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "type" TEXT NOT NULL,
    "config" JSON NOT NULL,
    "secrets" TEXT,
    "config_schema" JSON NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'active',
    "reachable" BOOLEAN,
    "last_checked_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plugins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_plugins" (
    "agent_id" UUID NOT NULL,
    "plugin_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_plugins_pkey" PRIMARY KEY ("agent_id","plugin_id")
);

-- CreateIndex
CREATE INDEX "plugins_project_created_at_id_idx" ON "plugins"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "plugins_project_updated_at_id_idx" ON "plugins"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "plugins_project_name_id_idx" ON "plugins"("project", "name", "id");

-- CreateIndex
CREATE INDEX "plugins_search_idx" ON "plugins" USING GIN ("name" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "plugins_project_name_key" ON "plugins"("project", "name");

-- CreateIndex
CREATE INDEX "agent_plugins_plugin_id_idx" ON "agent_plugins"("plugin_id");

-- AddForeignKey
ALTER TABLE "plugins" ADD CONSTRAINT "plugins_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_plugins" ADD CONSTRAINT "agent_plugins_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_plugins" ADD CONSTRAINT "agent_plugins_plugin_id_fkey" FOREIGN KEY ("plugin_id") REFERENCES "plugins"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


-- Closed sets of values
ALTER TABLE plugins ADD CONSTRAINT plugins_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE plugins ADD CONSTRAINT plugins_type_check CHECK (type IN ('tool', 'data_source', 'integration'));
ALTER TABLE plugins ADD CONSTRAINT plugins_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE context_messages DROP CONSTRAINT context_messages_role_check;
ALTER TABLE context_messages ADD CONSTRAINT context_messages_role_check CHECK (role IN ('user', 'assistant', 'tool'));
ALTER TABLE usage_events DROP CONSTRAINT usage_events_kind_check;
ALTER TABLE usage_events ADD CONSTRAINT usage_events_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run'));

-- A tool's answer names its call; only an assistant makes calls.
ALTER TABLE context_messages ADD CONSTRAINT context_messages_call_id_check CHECK ((role = 'tool') = (call_id IS NOT NULL));
ALTER TABLE context_messages ADD CONSTRAINT context_messages_tool_calls_check CHECK (role = 'assistant' OR tool_calls IS NULL);
