-- Projects are rows. `Core` and `Commerce` always exist; a platform admin makes further ones where the setting allows it.
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);
ALTER TABLE projects ADD CONSTRAINT projects_id_check CHECK (id IN ('Core', 'Commerce') OR (id ~ '^[a-z0-9](-?[a-z0-9]){0,39}$' AND id NOT IN ('core', 'commerce')));
COMMENT ON TABLE projects IS 'people: 50 at most, besides the deleted ones, which logs and sums refer to';
-- No two projects differ only in the case of their names.
CREATE UNIQUE INDEX projects_name_key ON projects (lower(name)) WHERE deleted_at IS NULL;
INSERT INTO projects (id, name) VALUES ('Core', 'Core'), ('Commerce', 'Commerce');

-- The specified projects keep their names, and no id is used twice: the audit log, sums and credentials name projects by it.
CREATE FUNCTION refuse_change_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'project %: its id, and its name if it is specified, never change, and its row stays', OLD.id
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER projects_stay BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_change_of_project();
CREATE TRIGGER projects_keep_id BEFORE UPDATE ON projects FOR EACH ROW
  WHEN (NEW.id IS DISTINCT FROM OLD.id OR OLD.id IN ('Core', 'Commerce') OR OLD.deleted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change_of_project();

-- Accounts and credentials have a project that exists: everything else gets its project from them. The lock makes the deletion of a
-- project wait for them. Runs, messages and sums have no such lock, because all of them would lock the same few rows.
CREATE FUNCTION require_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.projects WHERE id = NEW.project AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE SQLSTATE 'MWP01' USING MESSAGE = 'the project does not exist';
  END IF;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION require_project() FROM PUBLIC;
CREATE TRIGGER users_insert_project BEFORE INSERT ON users FOR EACH ROW
  WHEN (NEW.project NOT IN ('Core', 'Commerce')) EXECUTE FUNCTION require_project();
CREATE TRIGGER users_update_project BEFORE UPDATE OF project, status ON users FOR EACH ROW
  WHEN (NEW.project NOT IN ('Core', 'Commerce')
    AND (NEW.project IS DISTINCT FROM OLD.project OR (NEW.status = 'active' AND OLD.status <> 'active')))
  EXECUTE FUNCTION require_project();
CREATE TRIGGER user_api_keys_project BEFORE INSERT ON user_api_keys FOR EACH ROW
  WHEN (NEW.project NOT IN ('Core', 'Commerce')) EXECUTE FUNCTION require_project();
CREATE TRIGGER oauth_clients_project BEFORE INSERT ON oauth_clients FOR EACH ROW
  WHEN (NEW.project NOT IN ('Core', 'Commerce')) EXECUTE FUNCTION require_project();
CREATE TRIGGER device_link_codes_project BEFORE INSERT ON device_link_codes FOR EACH ROW
  WHEN (NEW.project NOT IN ('Core', 'Commerce')) EXECUTE FUNCTION require_project();
