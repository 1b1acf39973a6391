-- AlterTable
ALTER TABLE "signing_keys" ADD COLUMN     "revoked_at" TIMESTAMPTZ(3);

CREATE TRIGGER signing_keys_revoked_at_is_final BEFORE UPDATE OF revoked_at ON signing_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION refuse_to_services('revoked_at never changes again');

-- An admin revokes the keys of every issuer; all else of a key is its issuer's. Who may revoke is a matter of the column's grant.
DROP TRIGGER signing_keys_issuer ON signing_keys;
CREATE TRIGGER signing_keys_issuer BEFORE INSERT OR UPDATE OF kid, issuer, public_jwk, created_at, active_at, retired_at ON signing_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_to_other_issuers();
