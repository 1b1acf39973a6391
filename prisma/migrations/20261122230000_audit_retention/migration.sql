CREATE TABLE "audit_checkpoints" (
    "number" INTEGER NOT NULL,
    "through_seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "jws" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoints_pkey" PRIMARY KEY ("number")
);

-- A checkpoint removes what it covers: whole seals with all their rows, older than 90 days whatever the setting says, never the last seal.
-- No role may delete rows, seals or checkpoints itself: only this function does.
CREATE FUNCTION remove_audit_range() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  former audit_checkpoints;
  sealed bigint;
  removed bigint;
BEGIN
  SELECT * INTO former FROM audit_checkpoints WHERE number <> NEW.number ORDER BY number DESC LIMIT 1;
  IF former.number >= NEW.number THEN
    RAISE EXCEPTION 'audit_checkpoints: a checkpoint follows the former one' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM FROM audit_seals
    WHERE number = NEW.number AND (through_seq, hash, sealed_at) = (NEW.through_seq, NEW.hash, NEW.sealed_at)
      AND number < (SELECT max(number) FROM audit_seals);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'audit_checkpoints: no seal but the last one ends there' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM FROM audit_seals WHERE number <= NEW.number AND sealed_at > now() - interval '90 days'
    UNION ALL SELECT FROM governance_decisions WHERE seq <= NEW.through_seq AND at > now() - interval '90 days' LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'audit_checkpoints: audit rows are kept for at least 90 days' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM governance_decisions WHERE seq <= NEW.through_seq;
  GET DIAGNOSTICS removed = ROW_COUNT;
  WITH gone AS (DELETE FROM audit_seals WHERE number <= NEW.number RETURNING rows) SELECT sum(rows) INTO sealed FROM gone;
  IF removed <> sealed OR NEW.rows <> removed + coalesce(former.rows, 0) THEN
    RAISE EXCEPTION 'audit_checkpoints: it does not count the rows that it removes' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM audit_checkpoints WHERE number < NEW.number;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION remove_audit_range() FROM PUBLIC;
CREATE TRIGGER audit_checkpoints_remove_range AFTER INSERT ON audit_checkpoints FOR EACH ROW EXECUTE FUNCTION remove_audit_range();

-- Rows and seals are deleted only under a checkpoint, and a checkpoint only under a later one.
CREATE FUNCTION refuse_unless_covered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (CASE TG_TABLE_NAME
    WHEN 'governance_decisions' THEN EXISTS (SELECT FROM audit_checkpoints WHERE through_seq >= (to_jsonb(OLD) ->> 'seq')::bigint)
    WHEN 'audit_seals' THEN EXISTS (SELECT FROM audit_checkpoints WHERE number >= (to_jsonb(OLD) ->> 'number')::integer)
    ELSE EXISTS (SELECT FROM audit_checkpoints WHERE number > (to_jsonb(OLD) ->> 'number')::integer)
  END) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
DROP TRIGGER governance_decisions_append_only ON governance_decisions;
CREATE TRIGGER governance_decisions_append_only BEFORE TRUNCATE ON governance_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER governance_decisions_covered BEFORE DELETE ON governance_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_covered();
DROP TRIGGER audit_seals_append_only ON audit_seals;
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seals_covered BEFORE DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_covered();
CREATE TRIGGER audit_checkpoints_append_only BEFORE UPDATE OR TRUNCATE ON audit_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_checkpoints_covered BEFORE DELETE ON audit_checkpoints
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_covered();
