-- Filters of the audit log that read the whole table without one.

-- CreateIndex
CREATE INDEX "governance_decisions_resource_at_idx" ON "governance_decisions"("resource", "at");

-- CreateIndex
CREATE INDEX "governance_decisions_request_id_idx" ON "governance_decisions"("request_id" text_pattern_ops) WHERE "request_id" IS NOT NULL;
