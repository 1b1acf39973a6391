-- AlterTable
ALTER TABLE "context_messages" ADD COLUMN     "image_bytes" INTEGER,
ADD COLUMN     "images" JSON;

-- CreateTable
CREATE TABLE "context_images" (
    "id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "context_images_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "context_images_message_id_idx" ON "context_images"("message_id");

-- AddForeignKey
ALTER TABLE "context_images" ADD CONSTRAINT "context_images_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "context_messages"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

COMMENT ON TABLE context_images IS 'ends: with their messages';
COMMENT ON CONSTRAINT context_images_message_id_fkey ON context_images IS 'bounded: 10 images of one message';

-- Images are compressed already. Rows without images need no check, which would hold up messages of a large table.
ALTER TABLE context_images ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE context_images ADD CONSTRAINT context_images_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 5242880);
ALTER TABLE context_messages ADD CONSTRAINT context_messages_images_check CHECK ((images IS NULL) = (image_bytes IS NULL) AND (images IS NULL OR role = 'user')) NOT VALID;

-- Images of a message count in the sums of its conversation like its text.
CREATE OR REPLACE FUNCTION count_context_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH added AS (
            SELECT r.context_id AS id, count(*) AS rows,
                   sum(octet_length(r.content) + coalesce(octet_length(r.tool_calls::text), 0) + coalesce(r.image_bytes, 0))::bigint AS bytes
              FROM changed r GROUP BY r.context_id),
        held AS (
            UPDATE public.contexts p SET held_rows = p.held_rows + a.rows::int, held_bytes = p.held_bytes + a.bytes
              FROM added a WHERE p.id = a.id RETURNING p.project, a.rows, a.bytes)
        SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
    LOOP
        PERFORM public.change_quota_usage(c.project, 'contexts', c.rows, c.bytes);
    END LOOP;
    RETURN NULL;
END $$;
