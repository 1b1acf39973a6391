-- CreateTable
CREATE TABLE "file_knowledge" (
    "file_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "tags" TEXT[],
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "failure" TEXT,
    "passages" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_knowledge_pkey" PRIMARY KEY ("file_id")
);

-- CreateTable
CREATE TABLE "passages" (
    "id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "page" INTEGER,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "tags" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'inactive',
    "search" tsvector,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "file_knowledge_project_created_at_file_id_idx" ON "file_knowledge"("project", "created_at", "file_id");

-- CreateIndex
CREATE INDEX "file_knowledge_created_by_idx" ON "file_knowledge"("created_by");

-- CreateIndex
CREATE INDEX "passages_file_id_attempt_place_idx" ON "passages"("file_id", "attempt", "place");

-- CreateIndex
CREATE INDEX "passages_words_idx" ON "passages" USING GIN ("search" tsvector_ops);

-- AddForeignKey
ALTER TABLE "file_knowledge" ADD CONSTRAINT "file_knowledge_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "files"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "file_knowledge" ADD CONSTRAINT "file_knowledge_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "passages" ADD CONSTRAINT "passages_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "file_knowledge"("file_id") ON DELETE CASCADE ON UPDATE RESTRICT;


-- The work that is due.
CREATE INDEX file_knowledge_due_idx ON file_knowledge (next_at) WHERE state IN ('waiting', 'indexing');

ALTER TABLE file_knowledge ADD CONSTRAINT file_knowledge_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE file_knowledge ADD CONSTRAINT file_knowledge_state_check CHECK (state IN ('waiting', 'indexing', 'ready', 'failed'));
ALTER TABLE file_knowledge ADD CONSTRAINT file_knowledge_failure_check
  CHECK (failure IN ('unsupported', 'damaged', 'encrypted', 'no_text', 'too_large', 'too_complex', 'quota', 'interrupted'));
ALTER TABLE file_knowledge ADD CONSTRAINT file_knowledge_tags_check CHECK (cardinality(tags) <= 50);
ALTER TABLE passages ADD CONSTRAINT passages_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE passages ADD CONSTRAINT passages_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE passages ADD CONSTRAINT passages_body_check CHECK (octet_length(body) <= 16000 AND octet_length(title) <= 6000);
ALTER TABLE passages ADD CONSTRAINT passages_place_check CHECK (place > 0 AND page > 0);

COMMENT ON TABLE file_knowledge IS 'people: one for each file at most';
COMMENT ON TABLE passages IS 'people: 5,000 for each file at most, up to the quota of the project for content';
COMMENT ON CONSTRAINT file_knowledge_file_id_fkey ON file_knowledge IS 'bounded: one';
COMMENT ON CONSTRAINT passages_file_id_fkey ON passages IS 'bounded: 5,000 at most, twice what a file may have';

-- What passages are found by, in the form of content.
CREATE FUNCTION index_passage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.search := setweight(to_tsvector('content_stems', NEW.title), 'A')
        || setweight(to_tsvector('content_stems', array_to_string(NEW.tags, ' ')), 'B')
        || setweight(to_tsvector('content_stems', NEW.body), 'C');
    RETURN NEW;
END
$$;
CREATE TRIGGER passages_index BEFORE INSERT OR UPDATE OF title, body, tags ON passages
    FOR EACH ROW EXECUTE FUNCTION index_passage();

-- The words of new passages in the dictionary: once for a statement and in order, so that two writers who bring the same words wait for
-- each other and never in a circle.
CREATE FUNCTION note_passage_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO content_words (project, word)
    SELECT DISTINCT c.project, w.word
      FROM changed c CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', c.title, c.body)))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$'
       AND NOT EXISTS (SELECT 1 FROM content_words known WHERE known.project = c.project AND known.word = w.word)
     ORDER BY c.project, w.word
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER passages_words AFTER INSERT ON passages REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_passage_words();

-- Notes the words of deleted passages. The job forget-content deletes those that nothing else has.
CREATE FUNCTION note_passage_words_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO content_words_left (project, word)
    SELECT DISTINCT c.project, w.word
      FROM changed c CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', c.title, c.body)))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$';
    RETURN NULL;
END
$$;
CREATE TRIGGER passages_words_left AFTER DELETE ON passages REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_passage_words_left();

-- Passages count as content.
CREATE FUNCTION count_passages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign CONSTANT int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM public.change_quota_usage(c.project, 'content', c.rows * sign, c.bytes * sign)
       FROM (SELECT r.project, count(*) AS rows, sum(octet_length(r.title) + octet_length(r.body) + coalesce(octet_length(r.tags::text), 0))::bigint AS bytes
               FROM changed r GROUP BY r.project ORDER BY r.project) c;
    RETURN NULL;
END
$$;
CREATE TRIGGER count_passages_insert AFTER INSERT ON passages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_passages();
CREATE TRIGGER count_passages_delete AFTER DELETE ON passages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_passages();
