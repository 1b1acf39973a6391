-- An agent has one policy, which the planner knows by a unique index.
CREATE UNIQUE INDEX "guard_policies_agent_id_key" ON "guard_policies"("agent_id");
DROP INDEX "guard_policies_agent_id_idx";
