-- Requests to make a platform admin, which another platform admin confirms (SECURITY_PLATFORM_ADMIN_FOUR_EYES).
CREATE TABLE platform_admin_requests (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE RESTRICT ON UPDATE RESTRICT,
    requested_by uuid NOT NULL REFERENCES users (id) ON DELETE RESTRICT ON UPDATE RESTRICT,
    outcome text,
    decided_by uuid REFERENCES users (id) ON DELETE RESTRICT ON UPDATE RESTRICT,
    decided_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT platform_admin_requests_outcome_check CHECK (outcome IN ('confirmed', 'refused', 'expired')),
    CONSTRAINT platform_admin_requests_decided_check CHECK (
      (outcome IS NULL) = (decided_at IS NULL) AND (coalesce(outcome, 'expired') = 'expired') = (decided_by IS NULL)),
    CONSTRAINT platform_admin_requests_two_people_check CHECK (
      requested_by <> user_id AND (outcome IS DISTINCT FROM 'confirmed' OR decided_by NOT IN (requested_by, user_id)))
);
CREATE UNIQUE INDEX platform_admin_requests_pending_key ON platform_admin_requests (user_id) WHERE outcome IS NULL;
CREATE INDEX platform_admin_requests_user_id_idx ON platform_admin_requests (user_id);
CREATE INDEX platform_admin_requests_requested_by_idx ON platform_admin_requests (requested_by);
CREATE INDEX platform_admin_requests_decided_by_idx ON platform_admin_requests (decided_by);
CREATE INDEX platform_admin_requests_expires_at_idx ON platform_admin_requests (expires_at);

-- A request is made by one active platform admin and confirmed by another, while it lives; the time is the database's.
CREATE FUNCTION require_two_platform_admins() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  acting uuid[] := CASE WHEN TG_OP = 'INSERT' THEN ARRAY[NEW.requested_by]
                        WHEN NEW.outcome = 'confirmed' THEN ARRAY[NEW.requested_by, NEW.decided_by]
                        WHEN NEW.outcome = 'refused' THEN ARRAY[NEW.decided_by]
                        ELSE ARRAY[]::uuid[] END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.created_at := now();
    NEW.expires_at := least(NEW.expires_at, now() + interval '24 hours');
  ELSIF NEW.outcome IS NOT NULL THEN
    NEW.decided_at := now();
  END IF;
  -- Who owns the table restores backups, in which former platform admins decided.
  IF pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  IF NEW.outcome = 'confirmed' AND (TG_OP = 'INSERT' OR NEW.expires_at <= now())
    OR cardinality(acting) <> (SELECT count(*) FROM public.users u WHERE u.id = ANY (acting) AND u.platform_admin AND u.status = 'active')
  THEN
    RAISE EXCEPTION '%: two platform admins decide, within a day', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER platform_admin_requests_two_people BEFORE INSERT OR UPDATE ON platform_admin_requests FOR EACH ROW
  EXECUTE FUNCTION require_two_platform_admins();
CREATE TRIGGER platform_admin_requests_outcome_is_final BEFORE UPDATE ON platform_admin_requests FOR EACH ROW
  WHEN (OLD.outcome IS NOT NULL)
  EXECUTE FUNCTION refuse_to_services('what was decided never changes');
CREATE TRIGGER platform_admin_requests_expires_at_never_later BEFORE UPDATE OF expires_at ON platform_admin_requests FOR EACH ROW
  WHEN (NEW.expires_at > OLD.expires_at)
  EXECUTE FUNCTION refuse_to_services('expires_at is never moved later');

-- A service makes a platform admin only in the transaction that confirms a request for that account.
CREATE FUNCTION refuse_unconfirmed_platform_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  IF has_table_privilege(current_user, 'public.platform_admin_requests', 'SELECT') AND EXISTS (
    SELECT FROM public.platform_admin_requests r
     WHERE r.user_id = NEW.id AND r.outcome = 'confirmed' AND r.decided_at = now()::timestamptz(3)
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: a platform admin is made by an operator, or confirmed by two', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
DROP TRIGGER users_platform_admin_update ON users;
CREATE TRIGGER users_platform_admin_update BEFORE UPDATE OF platform_admin ON users FOR EACH ROW
  WHEN (NEW.platform_admin AND NOT OLD.platform_admin)
  EXECUTE FUNCTION refuse_unconfirmed_platform_admin();

-- Messages wait here for minutes: the table is small.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked', 'recovery_used',
                    'role_changed', 'webhook_failing', 'webhook_disabled',
                    'platform_admin_requested', 'platform_admin_refused', 'platform_admin_made'));
