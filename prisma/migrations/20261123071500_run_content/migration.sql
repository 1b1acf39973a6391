-- When the texts of a run were removed, of which its figures are left.
ALTER TABLE "runs" ADD COLUMN "content_removed_at" TIMESTAMPTZ(3);
-- Runs that have their texts, by their end: what the retention of texts reads.
CREATE INDEX "runs_with_content_idx" ON "runs" ("project", "ended_at") WHERE "content_removed_at" IS NULL AND "ended_at" IS NOT NULL;

-- A service states that a run has lost its texts, and loses them by that; it needs no right to change or read them.
CREATE FUNCTION remove_run_content() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.ended_at IS NULL THEN
        RAISE EXCEPTION 'runs: texts are removed of ended runs only' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE run_steps SET added = NULL, answer = NULL, calls = NULL, arguments = NULL, result = NULL, error_text = NULL
     WHERE run_id = NEW.id;
    UPDATE approvals SET arguments = '{}', edited_arguments = NULL, reason = NULL WHERE run_id = NEW.id;
    DELETE FROM run_events WHERE run_id = NEW.id AND type IN ('message.delta', 'tool.call');
    NEW.input := NULL;
    NEW.output := NULL;
    NEW.error_text := NULL;
    RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION remove_run_content() FROM PUBLIC;
CREATE TRIGGER runs_remove_content BEFORE UPDATE OF content_removed_at ON runs FOR EACH ROW
    WHEN (NEW.content_removed_at IS NOT NULL AND OLD.content_removed_at IS NULL) EXECUTE FUNCTION remove_run_content();
CREATE TRIGGER runs_content_removed_at_never_changes BEFORE UPDATE OF content_removed_at ON runs FOR EACH ROW
    WHEN (OLD.content_removed_at IS NOT NULL AND NEW.content_removed_at IS DISTINCT FROM OLD.content_removed_at)
    EXECUTE FUNCTION refuse_to_services('content_removed_at never changes again');
