-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "approved_by" UUID,
ADD COLUMN     "grant_types" TEXT[] DEFAULT ARRAY['authorization_code', 'refresh_token', 'client_credentials']::TEXT[];

-- CreateIndex
CREATE INDEX "oauth_clients_approved_by_idx" ON "oauth_clients"("approved_by");

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_approved_by_fkey" FOREIGN KEY ("approved_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_approved_check CHECK ((approved_at IS NULL) = (approved_by IS NULL));
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_grant_types_check
  CHECK (grant_types <@ ARRAY['authorization_code', 'refresh_token', 'client_credentials'] AND 'authorization_code' = ANY (grant_types));

-- An approval is of what the admin saw. No service keeps it over a change, whichever statement changes the client.
CREATE FUNCTION end_client_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.approved_at := NULL;
  NEW.approved_by := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER oauth_clients_approval_ends BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN (OLD.approved_at IS NOT NULL AND
    (NEW.name, NEW.redirect_uris, NEW.scopes, NEW.grant_types, NEW.auth_method, NEW.user_id) IS DISTINCT FROM
    (OLD.name, OLD.redirect_uris, OLD.scopes, OLD.grant_types, OLD.auth_method, OLD.user_id))
  EXECUTE FUNCTION end_client_approval();

-- Refuses approvals by who may not change a user's role: the authorization server, where clients register themselves.
CREATE FUNCTION refuse_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_column_privilege(current_user, format('%I.users', TG_TABLE_SCHEMA)::regclass, 'role', 'UPDATE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'oauth_clients: a client is approved by who may change roles' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER oauth_clients_approved_insert BEFORE INSERT ON oauth_clients FOR EACH ROW WHEN (NEW.approved_at IS NOT NULL)
  EXECUTE FUNCTION refuse_approval();
CREATE TRIGGER oauth_clients_approved_update BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN (NEW.approved_at IS NOT NULL AND NEW.approved_at IS DISTINCT FROM OLD.approved_at)
  EXECUTE FUNCTION refuse_approval();
