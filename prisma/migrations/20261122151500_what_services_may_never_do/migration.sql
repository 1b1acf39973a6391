-- What no service may do to a row, whatever its role may do to the table. Only the owner of the schema may: an operator's command.
-- The tables of the catalog are qualified: a service may make temporary tables, which come before them.

-- Refuses the change to every service. The argument says what is refused.
CREATE FUNCTION refuse_to_services() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'insufficient_privilege';
END $$;

-- Refuses the change to who may not change a user's role.
CREATE FUNCTION refuse_without_right_to_roles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_column_privilege(current_user, TG_RELID, 'role', 'UPDATE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'insufficient_privilege';
END $$;

-- Refuses the keys of other issuers: an issuer's keys belong to the role of the service of that name.
CREATE FUNCTION refuse_to_other_issuers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'USAGE') OR EXISTS (
    SELECT FROM pg_catalog.pg_roles
     WHERE rolname = 'millwright_' || replace(NEW.issuer, '-', '_') AND pg_has_role(current_user, oid, 'USAGE')
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'signing_keys: the keys of % are published by itself', NEW.issuer USING ERRCODE = 'insufficient_privilege';
END $$;

-- What has ended stays as it ended.
DO $$
DECLARE ended text[];
BEGIN
  FOREACH ended SLICE 1 IN ARRAY ARRAY[
    ['user_api_keys', 'revoked_at'], ['oauth_clients', 'revoked_at'], ['oauth_grants', 'revoked_at'],
    ['user_sessions', 'revoked_at'], ['devices', 'revoked_at'], ['device_link_codes', 'revoked_at'],
    ['users', 'deleted_at'], ['passkeys', 'removed_at'],
    ['setup_tokens', 'used_at'], ['webauthn_ceremonies', 'used_at'], ['console_codes', 'used_at'], ['magic_link_tokens', 'used_at'],
    ['session_refresh_tokens', 'used_at'], ['device_link_codes', 'used_at'], ['device_nonces', 'used_at'],
    ['oauth_codes', 'used_at'], ['oauth_refresh_tokens', 'used_at'],
    ['mcp_connection_requests', 'used_at']
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER %1$s_%2$s_is_final BEFORE UPDATE OF %2$s ON %1$s FOR EACH ROW
         WHEN (OLD.%2$s IS NOT NULL AND NEW.%2$s IS DISTINCT FROM OLD.%2$s)
         EXECUTE FUNCTION refuse_to_services(''%2$s never changes again'')', ended[1], ended[2]);
  END LOOP;
END $$;

-- A life is shortened, never extended.
DO $$
DECLARE mortal text;
BEGIN
  FOREACH mortal IN ARRAY ARRAY[
    'user_api_keys', 'devices', 'device_link_codes', 'device_nonces', 'setup_tokens', 'webauthn_ceremonies', 'console_codes',
    'magic_link_tokens', 'session_refresh_tokens', 'oauth_codes', 'oauth_refresh_tokens', 'mcp_connection_requests'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER %1$s_expires_at_never_later BEFORE UPDATE OF expires_at ON %1$s FOR EACH ROW
         WHEN (NEW.expires_at > OLD.expires_at OR (NEW.expires_at IS NULL AND OLD.expires_at IS NOT NULL))
         EXECUTE FUNCTION refuse_to_services(''expires_at is never moved later'')', mortal);
  END LOOP;
END $$;
-- A code issued late in the request's life has its whole minute; a request that was ended stays ended.
CREATE TRIGGER oauth_authorizations_expires_at_never_later BEFORE UPDATE OF expires_at ON oauth_authorizations FOR EACH ROW
  WHEN (OLD.expires_at <= now() AND NEW.expires_at > OLD.expires_at)
  EXECUTE FUNCTION refuse_to_services('what has expired stays expired');

CREATE TRIGGER users_platform_admin_insert BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.platform_admin)
  EXECUTE FUNCTION refuse_to_services('only an operator makes a platform admin');
CREATE TRIGGER users_platform_admin_update BEFORE UPDATE OF platform_admin ON users FOR EACH ROW
  WHEN (NEW.platform_admin AND NOT OLD.platform_admin)
  EXECUTE FUNCTION refuse_to_services('only an operator makes a platform admin');
CREATE TRIGGER users_admin_insert BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.role <> 'user')
  EXECUTE FUNCTION refuse_without_right_to_roles('an admin is made by who may change roles');
CREATE TRIGGER users_enable BEFORE UPDATE OF status ON users FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status <> 'active')
  EXECUTE FUNCTION refuse_without_right_to_roles('an account is enabled by who may change roles');
-- With another address an account is taken over by mail.
CREATE TRIGGER users_admin_email BEFORE UPDATE OF email ON users FOR EACH ROW
  WHEN (OLD.role <> 'user' AND NEW.email IS DISTINCT FROM OLD.email)
  EXECUTE FUNCTION refuse_without_right_to_roles('the address of an admin is changed by who may change roles');

CREATE TRIGGER signing_keys_issuer BEFORE INSERT OR UPDATE ON signing_keys FOR EACH ROW
  EXECUTE FUNCTION refuse_to_other_issuers();
CREATE TRIGGER signing_keys_retired_at_is_final BEFORE UPDATE OF retired_at ON signing_keys FOR EACH ROW
  WHEN (OLD.retired_at <= now() AND NEW.retired_at IS DISTINCT FROM OLD.retired_at)
  EXECUTE FUNCTION refuse_to_services('retired_at never changes again');
