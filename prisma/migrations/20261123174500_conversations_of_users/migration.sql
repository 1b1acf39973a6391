-- What a user sets for a conversation with an agent. Former releases leave the title null and pin nothing.
ALTER TABLE "contexts" ADD COLUMN "title" TEXT, ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "shared_at" TIMESTAMPTZ(3);

-- A message that its user edited or had answered again stays for its run; conversations leave it out.
ALTER TABLE "context_messages" ADD COLUMN "replaced_by" INTEGER;

-- The conversations of a user with all agents, pinned ones first, latest first.
CREATE INDEX "contexts_user_id_project_pinned_updated_at_id_idx" ON "contexts" ("user_id", "project", "pinned", "updated_at", "id");
