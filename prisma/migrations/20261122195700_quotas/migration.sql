-- AlterTable
ALTER TABLE "contexts" ADD COLUMN     "held_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "held_rows" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "held_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "held_rows" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "prompts" ADD COLUMN     "held_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "held_rows" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "quota_limits" (
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "max_rows" BIGINT NOT NULL,
    "max_bytes" BIGINT NOT NULL,

    CONSTRAINT "quota_limits_pkey" PRIMARY KEY ("project","kind")
);

-- CreateTable
CREATE TABLE "quota_usage" (
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "rows" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "quota_usage_pkey" PRIMARY KEY ("project","kind","slot")
);

-- CreateTable
CREATE TABLE "quota_refusals" (
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_refusals_pkey" PRIMARY KEY ("project","kind")
);


-- CreateTable
CREATE TABLE "quota_recount" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_recount_pkey" PRIMARY KEY ("one")
);

ALTER TABLE quota_recount ADD CONSTRAINT quota_recount_one_check CHECK (one);
ALTER TABLE quota_limits ADD CONSTRAINT quota_limits_kind_check CHECK (kind IN ('content', 'files', 'prompts', 'conversations', 'contexts'));
ALTER TABLE quota_usage ADD CONSTRAINT quota_usage_kind_check CHECK (kind IN ('content', 'files', 'prompts', 'conversations', 'contexts'));
ALTER TABLE quota_refusals ADD CONSTRAINT quota_refusals_kind_check CHECK (kind IN ('content', 'files', 'prompts', 'conversations', 'contexts'));
ALTER TABLE quota_limits ADD CONSTRAINT quota_limits_max_check CHECK (max_rows >= 0 AND max_bytes >= 0);
-- A single slot may be below nothing, as in record_counts. The last slot belongs to writers that hold the lock of the quota.
ALTER TABLE quota_usage ADD CONSTRAINT quota_usage_slot_check CHECK (slot BETWEEN 0 AND 32);
-- Each change writes a slot again: with room on the page it costs no index entry.
ALTER TABLE quota_usage SET (fillfactor = 20);

-- The defaults of the settings QUOTA_*, which admin-auth writes here when it starts.
INSERT INTO quota_limits (project, kind, max_rows, max_bytes) VALUES
    ('*', 'content', 200000, 10::bigint << 30),
    ('*', 'files', 200000, 100::bigint << 30),
    ('*', 'prompts', 200000, 10::bigint << 30),
    ('*', 'conversations', 5000000, 50::bigint << 30),
    ('*', 'contexts', 5000000, 50::bigint << 30);

-- What a project holds of a kind. A function reads it again each time that it is called, other transactions' commits included.
CREATE FUNCTION read_quota_usage(of_project text, of_kind text, OUT used_rows bigint, OUT used_bytes bigint) LANGUAGE plpgsql AS $$
BEGIN
    SELECT coalesce(sum(u.rows), 0)::bigint, coalesce(sum(u.bytes), 0)::bigint INTO used_rows, used_bytes
      FROM public.quota_usage u WHERE u.project = of_project AND u.kind = of_kind;
END $$;

-- Refuses growth beyond a limit, exactly: no more than the limit is ever committed (docs/adr/0019). Below 90 % of both limits, a
-- transaction that adds less than its share, a tenth of the limit divided by the connections that the server has, holds the lock of
-- the quota with all others of its kind: their shares together fit into the last tenth. Any other transaction holds the lock alone,
-- and therefore sees every change that counts. A setting of the transaction keeps how it holds the lock and what it added.
-- @returns whether the transaction holds the lock alone
CREATE FUNCTION check_quota(of_project text, of_kind text, more_rows bigint, more_bytes bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    setting CONSTANT text := 'millwright.quota_' || md5(of_project || ' ' || of_kind);
    lock CONSTANT bigint := hashtextextended(of_project || ' ' || of_kind, 7246102);
    shares CONSTANT bigint := 10 * current_setting('max_connections')::bigint;
    state text[] := string_to_array(nullif(current_setting(setting, true), ''), ' ');
    grows CONSTANT boolean := more_rows > 0 OR more_bytes > 0;
    taken_rows bigint;
    taken_bytes bigint;
    used record;
    max record;
BEGIN
    IF NOT grows THEN
        RETURN coalesce(state[1] = 'alone', false);
    END IF;
    SELECT l.max_rows AS rows, l.max_bytes AS bytes INTO max FROM public.quota_limits l
     WHERE l.kind = of_kind AND l.project IN (of_project, '*') ORDER BY l.project = '*' LIMIT 1;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF state[1] IS DISTINCT FROM 'alone' THEN
        taken_rows := coalesce(state[2]::bigint, 0) + greatest(more_rows, 0);
        taken_bytes := coalesce(state[3]::bigint, 0) + greatest(more_bytes, 0);
        IF taken_rows <= max.rows / shares AND taken_bytes <= max.bytes / shares THEN
            BEGIN
                IF state IS NULL THEN
                    PERFORM pg_advisory_xact_lock_shared(lock);
                    used := public.read_quota_usage(of_project, of_kind);
                    IF used.used_rows > max.rows / 10 * 9 OR used.used_bytes > max.bytes / 10 * 9 THEN
                        RAISE SQLSTATE 'MWQ00';
                    END IF;
                END IF;
                PERFORM set_config(setting, 'shared ' || taken_rows || ' ' || taken_bytes, true);
                RETURN false;
            EXCEPTION WHEN SQLSTATE 'MWQ00' THEN
                NULL; -- what the block locked is released: two transactions that come here never wait for each other
            END;
        END IF;
        PERFORM pg_advisory_xact_lock(lock);
        PERFORM set_config(setting, 'alone', true);
    END IF;
    used := public.read_quota_usage(of_project, of_kind);
    IF more_rows > 0 AND used.used_rows + more_rows > max.rows THEN
        RAISE SQLSTATE 'MWQ01' USING MESSAGE = json_build_object('project', of_project, 'kind', of_kind, 'measure', 'rows',
            'limit', max.rows, 'used', used.used_rows, 'more', more_rows);
    END IF;
    IF more_bytes > 0 AND used.used_bytes + more_bytes > max.bytes THEN
        RAISE SQLSTATE 'MWQ01' USING MESSAGE = json_build_object('project', of_project, 'kind', of_kind, 'measure', 'bytes',
            'limit', max.bytes, 'used', used.used_bytes, 'more', more_bytes);
    END IF;
    RETURN true;
END $$;

-- One slot for all changes of a transaction, so that no two transactions wait for each other's slots.
CREATE FUNCTION add_quota_usage(of_project text, of_kind text, more_rows bigint, more_bytes bigint, is_alone boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.quota_usage AS u (project, kind, slot, rows, bytes)
    VALUES (of_project, of_kind, CASE WHEN is_alone THEN 32 ELSE pg_current_xact_id()::text::bigint % 32 END, more_rows, more_bytes)
    ON CONFLICT (project, kind, slot) DO UPDATE SET rows = u.rows + excluded.rows, bytes = u.bytes + excluded.bytes;
END $$;

CREATE FUNCTION change_quota_usage(of_project text, of_kind text, more_rows bigint, more_bytes bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_alone boolean;
BEGIN
    IF more_rows = 0 AND more_bytes = 0 THEN
        RETURN;
    END IF;
    is_alone := public.check_quota(of_project, of_kind, more_rows, more_bytes);
    PERFORM public.add_quota_usage(of_project, of_kind, more_rows, more_bytes, is_alone);
END $$;

-- Each table that is counted, with its kind, the bytes of a row and the columns that change them. Versions and messages are counted
-- with their parent (below), which keeps their sums: when it is deleted, they are gone before they could be counted.
DO $do$
DECLARE counted text[];
BEGIN
    FOREACH counted SLICE 1 IN ARRAY ARRAY[
        ['content_items', 'content', '1', 'octet_length(r.title) + octet_length(r.body) + coalesce(octet_length(r.tags::text), 0)', 'title, body, tags'],
        ['files', 'files', '1', 'r.size', 'size'],
        ['artifacts', 'prompts', '1',
            'octet_length(r.content) + octet_length(r.title) + octet_length(r.description) + coalesce(octet_length(r.tags::text), 0) + octet_length(r.log_message)',
            'content, title, description, tags, log_message'],
        ['blocks', 'prompts', '1',
            'octet_length(r.content) + octet_length(r.title) + octet_length(r.description) + coalesce(octet_length(r.tags::text), 0) + octet_length(r.log_message)',
            'content, title, description, tags, log_message'],
        ['prompts', 'prompts', '1 + r.held_rows', 'r.held_bytes', ''],
        ['conversations', 'conversations', '1 + r.held_rows',
            'r.held_bytes + octet_length(r.title) + octet_length(r.description) + coalesce(octet_length(r.tags::text), 0) + octet_length(r.log_message)',
            'title, description, tags, log_message'],
        ['responses', 'conversations', '1', 'octet_length(r.body::text)', 'body'],
        ['contexts', 'contexts', '1 + r.held_rows', 'r.held_bytes', '']
    ] LOOP
        EXECUTE format($f$
            CREATE FUNCTION count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
            DECLARE sign CONSTANT int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
            BEGIN
                PERFORM public.change_quota_usage(c.project, %2$L, c.rows * sign, c.bytes * sign)
                   FROM (SELECT r.project, sum(%3$s)::bigint AS rows, sum(%4$s)::bigint AS bytes FROM changed r GROUP BY r.project ORDER BY r.project) c;
                RETURN NULL;
            END $body$;
            CREATE TRIGGER count_%1$s_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
            CREATE TRIGGER count_%1$s_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
            $f$, counted[1], counted[2], counted[3], counted[4]);
        CONTINUE WHEN counted[5] = '';
        EXECUTE format($f$
            CREATE FUNCTION count_%1$s_update() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
                PERFORM public.change_quota_usage(NEW.project, %2$L, 0, (%3$s)::bigint - (%4$s)::bigint);
                RETURN NULL;
            END $body$;
            CREATE TRIGGER count_%1$s_update AFTER UPDATE OF %5$s ON %1$s FOR EACH ROW EXECUTE FUNCTION count_%1$s_update();
            $f$, counted[1], counted[2], replace(counted[4], 'r.', 'NEW.'), replace(counted[4], 'r.', 'OLD.'), counted[5]);
    END LOOP;
    FOREACH counted SLICE 1 IN ARRAY ARRAY[
        ['prompt_versions', 'prompts', 'prompts', 'prompt_id',
            'octet_length(r.instruction::text) + octet_length(r.input::text) + octet_length(r.output::text) + octet_length(r.metadata::text)'],
        ['conversation_messages', 'conversations', 'conversations', 'conversation_id', 'octet_length(r.content) + octet_length(r.reference::text)'],
        ['context_messages', 'contexts', 'contexts', 'context_id', 'octet_length(r.content) + coalesce(octet_length(r.tool_calls::text), 0)']
    ] LOOP
        EXECUTE format($f$
            CREATE FUNCTION count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
            DECLARE c record;
            BEGIN
                FOR c IN
                    WITH added AS (SELECT r.%4$s AS id, count(*) AS rows, sum(%5$s)::bigint AS bytes FROM changed r GROUP BY r.%4$s),
                    held AS (
                        UPDATE public.%3$s p SET held_rows = p.held_rows + a.rows::int, held_bytes = p.held_bytes + a.bytes
                          FROM added a WHERE p.id = a.id RETURNING p.project, a.rows, a.bytes)
                    SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
                LOOP
                    PERFORM public.change_quota_usage(c.project, %2$L, c.rows, c.bytes);
                END LOOP;
                RETURN NULL;
            END $body$;
            CREATE TRIGGER count_%1$s_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
            $f$, counted[1], counted[2], counted[3], counted[4], counted[5]);
    END LOOP;
END $do$;

-- Messages that a fork takes over from a conversation that is deleted (hand_over_messages). They are still in the sums of that one,
-- which its deletion takes off in the same statement: this is no growth, and is not checked.
CREATE FUNCTION count_moved_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH added AS (
            SELECT r.conversation_id AS id, count(*) AS rows, sum(octet_length(r.content) + octet_length(r.reference::text))::bigint AS bytes
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
CREATE TRIGGER count_conversation_messages_move AFTER UPDATE ON conversation_messages REFERENCING OLD TABLE AS was NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_moved_messages();

-- The triggers run with the rights of who writes: without these, a service could write nothing between this migration and `--roles`.
DO $do$
DECLARE service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['admin_auth', 'platform_api', 'prompt_api', 'runtime_api'] LOOP
        CONTINUE WHEN NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'millwright_' || service);
        EXECUTE format('GRANT SELECT ON quota_limits TO %I', 'millwright_' || service);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE ON quota_usage TO %I', 'millwright_' || service);
    END LOOP;
END $do$;
