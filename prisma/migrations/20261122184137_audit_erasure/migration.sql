-- The default is set apart, so that the rows of a large table are not written again: they stay without a salt.
ALTER TABLE "governance_decisions" ADD COLUMN     "erased" JSONB,
ADD COLUMN     "salt" UUID;
ALTER TABLE "governance_decisions" ALTER COLUMN "salt" SET DEFAULT gen_random_uuid();

-- Personal fields of an audit row may be erased by the owner of the schema: an operator's command. Everything else stays as written.
CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE')
     AND NEW.erased IS NOT NULL AND NEW.salt IS NULL
     AND (NEW.id, NEW.seq, NEW.at, NEW.user_id, NEW.actor_kind, NEW.action, NEW.decision)
       = (OLD.id, OLD.seq, OLD.at, OLD.user_id, OLD.actor_kind, OLD.action, OLD.decision)
     AND NEW.project IS NOT DISTINCT FROM OLD.project
     AND NEW.actor_id IN (OLD.actor_id, 'erased')
     AND NEW.resource IN (OLD.resource, 'erased')
     AND (NEW.reason IS NULL OR NEW.reason = OLD.reason)
     AND (NEW.request_id IS NULL OR NEW.request_id = OLD.request_id)
     AND (NEW.ip IS NULL OR NEW.ip = OLD.ip)
     AND NEW.detail IN (OLD.detail, '{}'::jsonb)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER governance_decisions_erasure BEFORE UPDATE ON governance_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasure();
DROP TRIGGER governance_decisions_append_only ON governance_decisions;
CREATE TRIGGER governance_decisions_append_only BEFORE DELETE OR TRUNCATE ON governance_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Every other UPDATE is refused, also one that hits nothing.
CREATE TRIGGER governance_decisions_never_changed BEFORE UPDATE ON governance_decisions
  FOR EACH STATEMENT WHEN (current_setting('millwright.erasure', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION refuse_change();

-- Only the operator's command states which rows it erased: a statement makes the verification accept them.
CREATE TRIGGER governance_decisions_erasure_statement BEFORE INSERT ON governance_decisions FOR EACH ROW
  WHEN (NEW.action = 'audit.erase')
  EXECUTE FUNCTION refuse_to_services('only an operator erases personal data of the audit log');
