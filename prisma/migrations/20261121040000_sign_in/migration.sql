-- AlterTable
ALTER TABLE "users" ADD COLUMN     "self_registered" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "aaguid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webauthn_ceremonies" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "user_id" UUID,
    "setup_token_id" UUID,
    "email" CITEXT,
    "state" TEXT,
    "code_challenge" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webauthn_ceremonies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "console_codes" (
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "session_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "console_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "proven_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_refresh_tokens" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "successor_salt" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_refresh_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "magic_link_tokens" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "session_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "magic_link_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "magic_link_requests" (
    "kind" TEXT NOT NULL,
    "subject" BYTEA NOT NULL,
    "times" TIMESTAMPTZ(3)[],

    CONSTRAINT "magic_link_requests_pkey" PRIMARY KEY ("kind","subject")
);

-- CreateTable
CREATE TABLE "installation_secrets" (
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_secrets_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "webauthn_ceremonies_challenge_key" ON "webauthn_ceremonies"("challenge");

-- CreateIndex
CREATE INDEX "webauthn_ceremonies_user_id_idx" ON "webauthn_ceremonies"("user_id");

-- CreateIndex
CREATE INDEX "webauthn_ceremonies_setup_token_id_idx" ON "webauthn_ceremonies"("setup_token_id");

-- CreateIndex
CREATE INDEX "webauthn_ceremonies_expires_at_idx" ON "webauthn_ceremonies"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "console_codes_code_hash_key" ON "console_codes"("code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "console_codes_session_id_key" ON "console_codes"("session_id");

-- CreateIndex
CREATE INDEX "console_codes_user_id_idx" ON "console_codes"("user_id");

-- CreateIndex
CREATE INDEX "user_sessions_user_id_created_at_idx" ON "user_sessions"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "session_refresh_tokens_token_hash_key" ON "session_refresh_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "session_refresh_tokens_session_id_idx" ON "session_refresh_tokens"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "magic_link_tokens_token_hash_key" ON "magic_link_tokens"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "magic_link_tokens_session_id_key" ON "magic_link_tokens"("session_id");

-- CreateIndex
CREATE INDEX "magic_link_tokens_user_id_idx" ON "magic_link_tokens"("user_id");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webauthn_ceremonies" ADD CONSTRAINT "webauthn_ceremonies_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webauthn_ceremonies" ADD CONSTRAINT "webauthn_ceremonies_setup_token_id_fkey" FOREIGN KEY ("setup_token_id") REFERENCES "setup_tokens"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "console_codes" ADD CONSTRAINT "console_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "console_codes" ADD CONSTRAINT "console_codes_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "user_sessions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_refresh_tokens" ADD CONSTRAINT "session_refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "user_sessions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "magic_link_tokens" ADD CONSTRAINT "magic_link_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "magic_link_tokens" ADD CONSTRAINT "magic_link_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "user_sessions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;



-- Closed sets of values
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_kind_check CHECK (kind IN ('registration', 'authentication'));
ALTER TABLE passkeys ADD CONSTRAINT passkeys_device_type_check CHECK (device_type IN ('singleDevice', 'multiDevice'));
ALTER TABLE user_sessions ADD CONSTRAINT user_sessions_method_check CHECK (method IN ('passkey', 'magic_link'));
ALTER TABLE magic_link_requests ADD CONSTRAINT magic_link_requests_kind_check CHECK (kind IN ('email', 'ip'));

-- A hash is a whole SHA-256; a ceremony has what its kind needs; a session that ended says why.
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_browser_hash_check CHECK (octet_length(browser_hash) = 32);
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_registration_check CHECK (kind <> 'registration' OR user_id IS NOT NULL);
ALTER TABLE webauthn_ceremonies ADD CONSTRAINT webauthn_ceremonies_authentication_check CHECK (kind <> 'authentication' OR (state IS NOT NULL AND code_challenge IS NOT NULL));
ALTER TABLE console_codes ADD CONSTRAINT console_codes_code_hash_check CHECK (octet_length(code_hash) = 32);
ALTER TABLE session_refresh_tokens ADD CONSTRAINT session_refresh_tokens_token_hash_check CHECK (octet_length(token_hash) = 32);
ALTER TABLE session_refresh_tokens ADD CONSTRAINT session_refresh_tokens_successor_check CHECK ((used_at IS NULL) = (successor_salt IS NULL));
ALTER TABLE magic_link_tokens ADD CONSTRAINT magic_link_tokens_token_hash_check CHECK (octet_length(token_hash) = 32);
ALTER TABLE magic_link_requests ADD CONSTRAINT magic_link_requests_subject_check CHECK (octet_length(subject) = 32);
ALTER TABLE user_sessions ADD CONSTRAINT user_sessions_revoked_check CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL));
ALTER TABLE passkeys ADD CONSTRAINT passkeys_counter_check CHECK (counter >= 0);
