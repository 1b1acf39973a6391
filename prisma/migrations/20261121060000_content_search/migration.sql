-- What content is found by: words without accents, in their stems, and the words themselves for the misspelt ones.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

CREATE TEXT SEARCH CONFIGURATION content_stems (COPY = english);
ALTER TEXT SEARCH CONFIGURATION content_stems
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH unaccent, english_stem;
CREATE TEXT SEARCH CONFIGURATION content_words (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION content_words
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH unaccent, simple;

-- AlterTable
ALTER TABLE "content_items" ADD COLUMN "search" tsvector;

-- CreateTable
CREATE TABLE "content_words" (
    "project" TEXT NOT NULL,
    "word" TEXT NOT NULL,

    CONSTRAINT "content_words_pkey" PRIMARY KEY ("project","word")
);

CREATE FUNCTION index_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.search := setweight(to_tsvector('content_stems', NEW.title), 'A')
        || setweight(to_tsvector('content_stems', array_to_string(NEW.tags, ' ')), 'B')
        || setweight(to_tsvector('content_stems', NEW.body), 'C');
    -- In order, so that two writers who bring the same words wait for each other and never in a circle.
    INSERT INTO content_words (project, word)
    SELECT NEW.project, w.word
      FROM unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', NEW.title, NEW.body, array_to_string(NEW.tags, ' '))))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$'
       AND NOT EXISTS (SELECT 1 FROM content_words known WHERE known.project = NEW.project AND known.word = w.word)
     ORDER BY w.word
    ON CONFLICT DO NOTHING;
    RETURN NEW;
END
$$;

CREATE TRIGGER content_items_index BEFORE INSERT OR UPDATE OF title, body, tags, project ON content_items
    FOR EACH ROW EXECUTE FUNCTION index_content();

UPDATE content_items SET title = title;

-- CreateIndex
CREATE INDEX "content_items_words_idx" ON "content_items" USING GIN ("search" tsvector_ops);

-- CreateIndex
CREATE INDEX "content_words_search_idx" ON "content_words" USING GIN ("word" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "content_items_project_source_created_at_id_idx" ON "content_items"("project", "source", "created_at", "id");
