-- Whatever a body is like, the statement that writes it ends in time. The dictionary takes the words of its first 20,000 characters,
-- since each new word costs an entry in two indexes. A tsvector holds 1 MiB: of a body with more, the beginning is found.
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
       AND NOT EXISTS (SELECT 1 FROM content_words known WHERE known.project = NEW.project AND known.word = w.word)
     ORDER BY w.word
    ON CONFLICT DO NOTHING;
    RETURN NEW;
END
$$;
