-- AlterTable
ALTER TABLE "conversation_messages" ADD COLUMN     "images" TEXT;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "client_metadata" JSON NOT NULL DEFAULT '{}',
ADD COLUMN     "deleted_until" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "models" ADD COLUMN     "images" BOOLEAN NOT NULL DEFAULT false;

-- Images of a message count in the sums of its conversation like its text.
CREATE OR REPLACE FUNCTION count_conversation_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH added AS (
            SELECT r.conversation_id AS id, count(*) AS rows,
                   sum(octet_length(r.content) + octet_length(r.reference::text) + coalesce(octet_length(r.images), 0))::bigint AS bytes
              FROM changed r GROUP BY r.conversation_id),
        held AS (
            UPDATE public.conversations p SET held_rows = p.held_rows + a.rows::int, held_bytes = p.held_bytes + a.bytes
              FROM added a WHERE p.id = a.id RETURNING p.project, a.rows, a.bytes)
        SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
    LOOP
        PERFORM public.change_quota_usage(c.project, 'conversations', c.rows, c.bytes);
    END LOOP;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_moved_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH added AS (
            SELECT r.conversation_id AS id, count(*) AS rows,
                   sum(octet_length(r.content) + octet_length(r.reference::text) + coalesce(octet_length(r.images), 0))::bigint AS bytes
              FROM changed r JOIN was ON was.id = r.id AND was.conversation_id <> r.conversation_id GROUP BY r.conversation_id),
        held AS (
            UPDATE public.conversations p SET held_rows = p.held_rows + a.rows::int, held_bytes = p.held_bytes + a.bytes
              FROM added a WHERE p.id = a.id RETURNING p.project, a.rows, a.bytes)
        SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
    LOOP
        PERFORM public.add_quota_usage(c.project, 'conversations', c.rows, c.bytes, public.check_quota(c.project, 'conversations', 0, 0));
    END LOOP;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION uncount_conversation_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH removed AS (
            SELECT r.conversation_id AS id, count(*) AS rows,
                   sum(octet_length(r.content) + octet_length(r.reference::text) + coalesce(octet_length(r.images), 0))::bigint AS bytes
              FROM gone r GROUP BY r.conversation_id),
        held AS (
            UPDATE conversations p SET held_rows = p.held_rows - m.rows::int, held_bytes = p.held_bytes - m.bytes
              FROM removed m WHERE p.id = m.id RETURNING p.project, m.rows, m.bytes)
        SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
    LOOP
        PERFORM change_quota_usage(c.project, 'conversations', -c.rows, -c.bytes);
    END LOOP;
    RETURN NULL;
END $$;
