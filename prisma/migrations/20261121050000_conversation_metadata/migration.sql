-- A conversation's metadata in columns, as every other record's, so that lists filter and sort by it.
ALTER TABLE "conversations"
    ADD COLUMN "title" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "description" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "tags" TEXT[],
    ADD COLUMN "log_message" TEXT NOT NULL DEFAULT '';

UPDATE "conversations" SET
    "title" = coalesce("metadata" ->> 'title', ''),
    "description" = coalesce("metadata" ->> 'description', ''),
    "log_message" = coalesce("metadata" ->> 'log_message', ''),
    "tags" = ARRAY(SELECT jsonb_array_elements_text(coalesce("metadata" -> 'tag', '[]')));

ALTER TABLE "conversations" DROP COLUMN "metadata";
ALTER TABLE "conversations"
    ALTER COLUMN "title" DROP DEFAULT,
    ALTER COLUMN "description" DROP DEFAULT,
    ALTER COLUMN "log_message" DROP DEFAULT;

-- CreateIndex
CREATE INDEX "conversations_project_updated_at_id_idx" ON "conversations"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "conversations_project_title_id_idx" ON "conversations"("project", "title", "id");

-- CreateIndex
CREATE INDEX "conversations_tags_idx" ON "conversations" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "conversations_search_idx" ON "conversations" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);
