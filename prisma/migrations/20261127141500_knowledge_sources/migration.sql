-- CreateTable
CREATE TABLE "knowledge_sources" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "tags" TEXT[],
    "schedule" TEXT,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "failure" TEXT,
    "failure_status" INTEGER,
    "passages" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "fetched_at" TIMESTAMPTZ(3),
    "etag" TEXT,
    "last_modified" TEXT,
    "final_url" TEXT,
    "sha256" BYTEA,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "knowledge_sources_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "knowledge_sources_project_url_key" ON "knowledge_sources"("project", "url");

-- CreateIndex
CREATE INDEX "knowledge_sources_project_created_at_id_idx" ON "knowledge_sources"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "knowledge_sources_created_by_idx" ON "knowledge_sources"("created_by");

-- AddForeignKey
ALTER TABLE "knowledge_sources" ADD CONSTRAINT "knowledge_sources_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The sources that a process may fetch now or later.
CREATE INDEX knowledge_sources_due_idx ON knowledge_sources (next_at) WHERE next_at IS NOT NULL;

ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$');
ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_state_check CHECK (state IN ('waiting', 'fetching', 'ready', 'failed'));
ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_url_check CHECK (url ~ '^https?://' AND octet_length(url) <= 2000);
ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_tags_check CHECK (cardinality(tags) <= 50);
-- A source that a process fetches, or is about to fetch, has a time at which another one takes it over.
ALTER TABLE knowledge_sources ADD CONSTRAINT knowledge_sources_next_at_check CHECK (next_at IS NOT NULL OR state IN ('ready', 'failed'));

COMMENT ON TABLE knowledge_sources IS 'people: 100 in a project at most';

-- Hides the passages at once. Indexers delete them in parts, as those of files.
CREATE FUNCTION note_deleted_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_knowledge (file_id, attempt) VALUES (OLD.id, OLD.attempt) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER knowledge_sources_deleted AFTER DELETE ON knowledge_sources FOR EACH ROW EXECUTE FUNCTION note_deleted_source();
-- Passages of another page are not those of this address.
CREATE TRIGGER knowledge_sources_moved AFTER UPDATE OF url ON knowledge_sources FOR EACH ROW
  WHEN (NEW.url <> OLD.url) EXECUTE FUNCTION note_deleted_source();
