-- Two roles between `user` and `admin`. They have a column of their own, because the former release takes every role but `user` for
-- an admin's: to it, such an account is a user.
ALTER TABLE users ADD COLUMN delegated_role text;
ALTER TABLE users ADD CONSTRAINT users_delegated_role_check CHECK (delegated_role IN ('project_admin', 'auditor'));
ALTER TABLE users ADD CONSTRAINT users_one_role_check CHECK (delegated_role IS NULL OR role = 'user');

-- An admin has no other role beside. The former release, which does not know the column, makes admins too.
CREATE FUNCTION end_delegated_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.delegated_role := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER users_admin_ends_delegated_role BEFORE UPDATE OF role ON users FOR EACH ROW
  WHEN (NEW.role = 'admin' AND OLD.role <> 'admin' AND NEW.delegated_role IS NOT NULL)
  EXECUTE FUNCTION end_delegated_role();

CREATE TRIGGER users_delegated_insert BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.delegated_role IS NOT NULL)
  EXECUTE FUNCTION refuse_without_right_to_roles('a role is given by who may change roles');
CREATE TRIGGER users_delegated_email BEFORE UPDATE OF email ON users FOR EACH ROW
  WHEN (OLD.delegated_role IS NOT NULL AND NEW.email IS DISTINCT FROM OLD.email)
  EXECUTE FUNCTION refuse_without_right_to_roles('the address of who has a role is changed by who may change roles');

ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked', 'recovery_used', 'role_changed'));
