-- The runs of a conversation, latest first. It covers what the former index did.
CREATE INDEX "runs_context_id_id_idx" ON "runs"("context_id", "id" DESC);
DROP INDEX "runs_context_id_idx";
