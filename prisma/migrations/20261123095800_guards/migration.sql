-- Guards: what is done with secrets and personal data in the texts of runs, by project and by agent.

-- CreateTable
CREATE TABLE "guard_policies" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "agent_id" UUID,
    "rules" JSONB NOT NULL,
    "phone_countries" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guard_policies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "guard_policies_agent_id_idx" ON "guard_policies"("agent_id");

-- AddForeignKey
ALTER TABLE "guard_policies" ADD CONSTRAINT "guard_policies_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


COMMENT ON TABLE guard_policies IS 'parts: of a project or an agent, one each';
-- One for a project, and one for each of its agents.
CREATE UNIQUE INDEX guard_policies_one_idx ON guard_policies (project, (coalesce(agent_id, '00000000-0000-0000-0000-000000000000')));
-- What each deletion takes with it.
COMMENT ON CONSTRAINT guard_policies_agent_id_fkey ON guard_policies IS 'bounded: one for an agent';
ALTER TABLE guard_policies ADD CONSTRAINT guard_policies_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE guard_policies ADD CONSTRAINT guard_policies_rules_check
  CHECK (jsonb_typeof(rules) = 'object' AND octet_length(rules::text) <= 4000);
ALTER TABLE guard_policies ADD CONSTRAINT guard_policies_countries_check
  CHECK (phone_countries IS NOT NULL AND cardinality(phone_countries) <= 10);
