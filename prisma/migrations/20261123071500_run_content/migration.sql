-- When the texts of a run were removed, of which its figures are left.
ALTER TABLE "runs" ADD COLUMN "content_removed_at" TIMESTAMPTZ(3);
-- Runs that have their texts, by their end: what the retention of texts reads.
CREATE INDEX "runs_with_content_idx" ON "runs" ("project", "ended_at") WHERE "content_removed_at" IS NULL AND "ended_at" IS NOT NULL;
