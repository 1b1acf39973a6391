-- The audit log without the runs of jobs, of which there is one a minute: pages of it read no more rows than they show.

-- CreateIndex
CREATE INDEX "governance_decisions_acts_idx" ON "governance_decisions"("at", "id") WHERE "action" <> 'job.run';
