-- Agents that call other agents as tools. A call is a run of its own, found by the step of its parent.

-- CreateTable
CREATE TABLE "agent_callees" (
    "agent_id" UUID NOT NULL,
    "callee_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_callees_pkey" PRIMARY KEY ("agent_id","callee_id")
);

-- CreateIndex
CREATE INDEX "agent_callees_callee_id_idx" ON "agent_callees"("callee_id");

-- AddForeignKey
ALTER TABLE "agent_callees" ADD CONSTRAINT "agent_callees_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
COMMENT ON CONSTRAINT agent_callees_agent_id_fkey ON agent_callees IS 'bounded: 100 of an agent';

-- AddForeignKey
ALTER TABLE "agent_callees" ADD CONSTRAINT "agent_callees_callee_id_fkey" FOREIGN KEY ("callee_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
COMMENT ON CONSTRAINT agent_callees_callee_id_fkey ON agent_callees
  IS 'bounded: the agents to which people gave it, each of which changes with it';

ALTER TABLE agent_callees ADD CONSTRAINT agent_callees_other_check CHECK (callee_id <> agent_id);

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "other_decider" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rule" TEXT,
ADD COLUMN     "rule_version" INTEGER;
ALTER TABLE agents ADD CONSTRAINT agents_rule_check CHECK (rule IN ('allow', 'ask', 'deny'));

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "parent_step" INTEGER;

-- CreateIndex: covers what the former index did.
CREATE UNIQUE INDEX "runs_parent_id_parent_step_key" ON "runs"("parent_id", "parent_step");
DROP INDEX "runs_parent_id_idx";

-- Every row fulfils it, because it allows more than before: it is not checked again while the table is locked.
ALTER TABLE runs DROP CONSTRAINT runs_waiting_for_check;
ALTER TABLE runs ADD CONSTRAINT runs_waiting_for_check
  CHECK (waiting_for IN ('approval', 'input', 'budget', 'outcome', 'connection', 'child')) NOT VALID;
