-- The consent page does not trust a client for its owner's role when a key made or changed it: nobody proved their presence for its redirect URIs.
ALTER TABLE "oauth_clients" ADD COLUMN     "made_by_key" BOOLEAN NOT NULL DEFAULT false;

-- The platform API makes OAuth clients for keys, and changes and rotates them. Such clients are marked, and have named scopes, none of admins: every other
-- client of a user is made and changed by who may change a user's role, which is admin-auth.
CREATE FUNCTION refuse_clients_of_more_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_column_privilege(current_user, 'public.users', 'role', 'UPDATE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: this service makes and changes OAuth clients with named scopes that are not for admins', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER oauth_clients_made_by_key BEFORE INSERT ON oauth_clients FOR EACH ROW
  WHEN (NEW.kind = 'settings'
    AND (NOT NEW.made_by_key OR NEW.scopes && ARRAY['*', 'users:read', 'users:write', 'runs:read_all', 'admin']::text[]))
  EXECUTE FUNCTION refuse_clients_of_more_rights();

CREATE TRIGGER oauth_clients_changed_by_key BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN ('settings' IN (OLD.kind, NEW.kind)
    AND (NOT NEW.made_by_key AND (NEW.name, NEW.redirect_uris) IS DISTINCT FROM (OLD.name, OLD.redirect_uris)
      OR OLD.made_by_key AND NOT NEW.made_by_key
      OR (OLD.scopes || NEW.scopes) && ARRAY['*', 'users:read', 'users:write', 'runs:read_all', 'admin']::text[]
      AND (NEW.kind, NEW.user_id, NEW.project, NEW.name, NEW.scopes, NEW.mcp_tools, NEW.redirect_uris, NEW.grant_types, NEW.secret_hash,
           NEW.previous_secret_hash, NEW.previous_secret_until, NEW.expires_at)
        IS DISTINCT FROM
          (OLD.kind, OLD.user_id, OLD.project, OLD.name, OLD.scopes, OLD.mcp_tools, OLD.redirect_uris, OLD.grant_types, OLD.secret_hash,
           OLD.previous_secret_hash, OLD.previous_secret_until, OLD.expires_at)))
  EXECUTE FUNCTION refuse_clients_of_more_rights();
