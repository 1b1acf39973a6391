-- Known words are found by the key of the dictionary alone: a session that planned a join with it while it was small read all of it for
-- each new word.
CREATE OR REPLACE FUNCTION index_content() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    characters int;
BEGIN
    NEW.search := NULL;
    FOREACH characters IN ARRAY ARRAY[500000, 125000, 15000] LOOP
        BEGIN
            NEW.search := setweight(to_tsvector('content_stems', NEW.title), 'A')
                || setweight(to_tsvector('content_stems', array_to_string(NEW.tags, ' ')), 'B')
                || setweight(to_tsvector('content_stems', left(NEW.body, characters)), 'C');
            EXIT;
        EXCEPTION WHEN program_limit_exceeded THEN
            CONTINUE;
        END;
    END LOOP;
    -- In order, so that two writers who bring the same words wait for each other and never in a circle.
    INSERT INTO content_words (project, word)
    SELECT NEW.project, w.word
      FROM unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', NEW.title, left(NEW.body, 20000), array_to_string(NEW.tags, ' '))))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$'
     ORDER BY w.word
    ON CONFLICT DO NOTHING;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION note_passage_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO content_words (project, word)
    SELECT DISTINCT c.project, w.word
      FROM changed c CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('content_words', concat_ws(' ', c.title, c.body)))) AS w (word)
     WHERE length(w.word) BETWEEN 4 AND 40 AND w.word ~ '^[[:alpha:]]+$'
     ORDER BY c.project, w.word
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
