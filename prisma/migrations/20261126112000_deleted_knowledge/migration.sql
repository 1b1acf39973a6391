-- DropForeignKey
ALTER TABLE "passages" DROP CONSTRAINT "passages_file_id_fkey";

-- CreateTable
CREATE TABLE "deleted_knowledge" (
    "file_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,

    CONSTRAINT "deleted_knowledge_pkey" PRIMARY KEY ("file_id", "attempt")
);

COMMENT ON TABLE deleted_knowledge IS 'brief: the indexers of the runtime API';

-- Numbers of attempts: those of a file that is used as knowledge again are greater than those that were deleted.
CREATE SEQUENCE knowledge_attempts AS integer;
SELECT setval('knowledge_attempts', (SELECT coalesce(max(attempt), 0) + 1 FROM file_knowledge), false);

-- Hides the passages at once. Indexers delete them in parts: each has hundreds of words to note.
CREATE FUNCTION note_deleted_knowledge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_knowledge (file_id, attempt) VALUES (OLD.file_id, OLD.attempt) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER file_knowledge_deleted AFTER DELETE ON file_knowledge FOR EACH ROW EXECUTE FUNCTION note_deleted_knowledge();
