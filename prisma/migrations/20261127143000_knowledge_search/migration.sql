-- CreateTable
CREATE TABLE "knowledge_search" (
    "project" TEXT NOT NULL,
    "model" TEXT,
    "dimensions" INTEGER,
    "length" INTEGER,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "state" TEXT NOT NULL DEFAULT 'listing',
    "listing" TEXT DEFAULT 'items',
    "listed_at" TIMESTAMPTZ(3),
    "listed_id" UUID,
    "failure" TEXT,
    "failed_at" TIMESTAMPTZ(3),
    "refused" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "knowledge_search_pkey" PRIMARY KEY ("project")
);

-- CreateTable
CREATE TABLE "content_vectors" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "item_id" UUID,
    "passage_id" UUID,
    "generation" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "vector" REAL[],

    CONSTRAINT "content_vectors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vector_work" (
    "text_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,

    CONSTRAINT "vector_work_pkey" PRIMARY KEY ("text_id")
);

-- CreateIndex
CREATE INDEX "knowledge_search_updated_by_idx" ON "knowledge_search"("updated_by");

-- CreateIndex
CREATE INDEX "content_vectors_item_id_idx" ON "content_vectors"("item_id");

-- CreateIndex
CREATE INDEX "content_vectors_passage_id_idx" ON "content_vectors"("passage_id");

-- CreateIndex
CREATE INDEX "content_vectors_project_generation_place_idx" ON "content_vectors"("project", "generation", "place");

-- CreateIndex
CREATE INDEX "vector_work_project_number_idx" ON "vector_work"("project", "number");

-- AddForeignKey
ALTER TABLE "knowledge_search" ADD CONSTRAINT "knowledge_search_updated_by_fkey" FOREIGN KEY ("updated_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "content_vectors" ADD CONSTRAINT "content_vectors_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "content_items"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "content_vectors" ADD CONSTRAINT "content_vectors_passage_id_fkey" FOREIGN KEY ("passage_id") REFERENCES "passages"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


COMMENT ON TABLE knowledge_search IS 'fixed: one per project at most';
COMMENT ON TABLE content_vectors IS 'people: one for each passage, and one for each 1,500 characters of a content item';
COMMENT ON TABLE vector_work IS 'brief: the embedder of the runtime API';
COMMENT ON CONSTRAINT content_vectors_item_id_fkey ON content_vectors IS 'bounded: 2,000 at most, two generations of 1,000 parts of one item';
COMMENT ON CONSTRAINT content_vectors_passage_id_fkey ON content_vectors IS 'bounded: two generations of one passage';

ALTER TABLE knowledge_search ADD CONSTRAINT knowledge_search_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$');
ALTER TABLE knowledge_search ADD CONSTRAINT knowledge_search_state_check CHECK (state IN ('listing', 'indexing', 'ready'));
ALTER TABLE knowledge_search ADD CONSTRAINT knowledge_search_listing_check CHECK (listing IN ('items', 'files', 'sources'));
ALTER TABLE knowledge_search ADD CONSTRAINT knowledge_search_failure_check
  CHECK (failure IN ('budget', 'length', 'model', 'refused', 'unavailable'));
ALTER TABLE knowledge_search ADD CONSTRAINT knowledge_search_dimensions_check CHECK (dimensions BETWEEN 1 AND 2000 AND length BETWEEN 1 AND 2000);
ALTER TABLE content_vectors ADD CONSTRAINT content_vectors_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$');
ALTER TABLE content_vectors ADD CONSTRAINT content_vectors_owner_check CHECK (num_nonnulls(item_id, passage_id) = 1);
ALTER TABLE content_vectors ADD CONSTRAINT content_vectors_vector_check CHECK (cardinality(vector) = length AND length BETWEEN 1 AND 2000);
ALTER TABLE vector_work ADD CONSTRAINT vector_work_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$');

-- Vectors hardly compress.
ALTER TABLE content_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

-- New and changed text gets new vectors. A row that is under way gets another number, so that it is not deleted as done.
CREATE FUNCTION note_vector_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO vector_work (text_id, project)
    SELECT NEW.id, NEW.project FROM knowledge_search s WHERE s.project = NEW.project AND s.model IS NOT NULL
    ON CONFLICT (text_id) DO UPDATE SET number = nextval('vector_work_number_seq');
    RETURN NULL;
END
$$;
CREATE TRIGGER content_items_vector_work AFTER INSERT ON content_items FOR EACH ROW
    WHEN (NEW.status = 'active') EXECUTE FUNCTION note_vector_work();
CREATE TRIGGER content_items_vector_work_changed AFTER UPDATE OF title, body, status ON content_items FOR EACH ROW
    WHEN (NEW.status = 'active' AND (OLD.title, OLD.body, OLD.status) IS DISTINCT FROM (NEW.title, NEW.body, NEW.status)) EXECUTE FUNCTION note_vector_work();
CREATE TRIGGER passages_vector_work AFTER UPDATE OF status ON passages FOR EACH ROW
    WHEN (NEW.status = 'active' AND OLD.status <> 'active') EXECUTE FUNCTION note_vector_work();
