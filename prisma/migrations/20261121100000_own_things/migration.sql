-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret_hash" BYTEA,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3);

ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_previous_secret_check CHECK ((previous_secret_hash IS NULL) = (previous_secret_until IS NULL));

-- A fresh passkey proof within a session.
ALTER TABLE webauthn_ceremonies DROP CONSTRAINT webauthn_ceremonies_kind_check;
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_kind_check CHECK (kind IN ('registration', 'authentication', 'step_up'));
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_step_up_check CHECK (kind <> 'step_up' OR user_id IS NOT NULL);
