-- CreateTable
CREATE TABLE "deleted_agent_versions" (
    "agent_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "project" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "agent" JSON NOT NULL,
    "state" JSON,
    "guard_policies" JSONB NOT NULL,

    CONSTRAINT "deleted_agent_versions_pkey" PRIMARY KEY ("agent_id","version")
);
COMMENT ON TABLE deleted_agent_versions IS 'brief: the job forget-agents';

-- CreateIndex
CREATE INDEX "deleted_agent_versions_project_slug_idx" ON "deleted_agent_versions"("project", "slug");

-- AddForeignKey
ALTER TABLE "deleted_agent_versions" ADD CONSTRAINT "deleted_agent_versions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "deleted_agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
COMMENT ON CONSTRAINT deleted_agent_versions_agent_id_fkey ON deleted_agent_versions IS 'bounded: the versions with runs under way';
