-- The conversation that a run of a prompt began or continued, and the runs of a conversation, latest first.
ALTER TABLE "runs" ADD COLUMN "conversation_id" UUID;
CREATE INDEX "runs_conversation_id_id_idx" ON "runs" ("conversation_id", "id" DESC) WHERE "conversation_id" IS NOT NULL;
