-- CreateTable
CREATE TABLE "content_words_left" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "project" TEXT NOT NULL,
    "word" TEXT NOT NULL,

    CONSTRAINT "content_words_left_pkey" PRIMARY KEY ("id")
);

-- Notes the words that a deleted or changed item no longer has. The job forget-content deletes those that no other item has: to find
-- out takes a look at the index for each word, which is too long for the statement of a request.
CREATE FUNCTION note_words_left() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept text := '';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.project = OLD.project THEN
            kept := concat_ws(' ', NEW.title, left(NEW.body, 20000), array_to_string(NEW.tags, ' '));
        END IF;
    END IF;
    INSERT INTO content_words_left (project, word)
    SELECT OLD.project, w.word
      FROM unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', OLD.title, left(OLD.body, 20000), array_to_string(OLD.tags, ' '))))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$'
    EXCEPT
    SELECT OLD.project, k.word FROM unnest(tsvector_to_array(to_tsvector('content_words', kept))) AS k (word);
    RETURN NULL;
END
$$;

CREATE TRIGGER content_items_left AFTER DELETE OR UPDATE OF title, body, tags, project ON content_items
    FOR EACH ROW EXECUTE FUNCTION note_words_left();
