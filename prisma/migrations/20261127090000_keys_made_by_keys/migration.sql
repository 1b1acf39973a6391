-- The platform API makes API keys for other keys. Such keys have named scopes, none of admins, and make no keys themselves: every other
-- key is made by who may change a user's role, which is admin-auth.
CREATE FUNCTION refuse_keys_of_more_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_column_privilege(current_user, 'public.users', 'role', 'UPDATE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: this service makes API keys with named scopes that are not for admins', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER user_api_keys_by_key BEFORE INSERT ON user_api_keys FOR EACH ROW
  WHEN (NEW.kind <> 'api_key'
    OR NEW.scopes && ARRAY['*', 'keys:write', 'users:read', 'users:write', 'runs:read_all', 'admin']::text[])
  EXECUTE FUNCTION refuse_keys_of_more_rights();
