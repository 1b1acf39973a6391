-- CreateTable
CREATE TABLE "sso_identities" (
    "id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sso_requests" (
    "id" UUID NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "issuer" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "session_id" UUID,
    "target" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sso_sessions" (
    "session_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "sid" TEXT,

    CONSTRAINT "sso_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "sso_logout_tokens" (
    "issuer" TEXT NOT NULL,
    "jti_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_logout_tokens_pkey" PRIMARY KEY ("issuer","jti_hash")
);

-- CreateIndex
CREATE INDEX "sso_identities_user_id_idx" ON "sso_identities"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sso_identities_issuer_subject_key" ON "sso_identities"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "sso_identities_issuer_user_id_key" ON "sso_identities"("issuer", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sso_requests_state_hash_key" ON "sso_requests"("state_hash");

-- CreateIndex
CREATE INDEX "sso_requests_session_id_idx" ON "sso_requests"("session_id");

-- CreateIndex
CREATE INDEX "sso_requests_expires_at_idx" ON "sso_requests"("expires_at");

-- CreateIndex
CREATE INDEX "sso_sessions_issuer_subject_idx" ON "sso_sessions"("issuer", "subject");

-- CreateIndex
CREATE INDEX "sso_sessions_issuer_sid_idx" ON "sso_sessions"("issuer", "sid");

-- CreateIndex
CREATE INDEX "sso_logout_tokens_expires_at_idx" ON "sso_logout_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sso_requests" ADD CONSTRAINT "sso_requests_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "user_sessions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sso_sessions" ADD CONSTRAINT "sso_sessions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "user_sessions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


ALTER TABLE user_sessions DROP CONSTRAINT user_sessions_method_check,
  ADD CONSTRAINT user_sessions_method_check CHECK (method IN ('passkey', 'magic_link', 'sso'));
ALTER TABLE sso_requests ADD CONSTRAINT sso_requests_purpose_check CHECK (purpose IN ('sign_in', 'step_up'));

-- A request is good once, and never for longer.
CREATE TRIGGER sso_requests_used_at_is_final BEFORE UPDATE OF used_at ON sso_requests FOR EACH ROW
  WHEN (OLD.used_at IS NOT NULL AND NEW.used_at IS DISTINCT FROM OLD.used_at)
  EXECUTE FUNCTION refuse_to_services('used_at never changes again');
CREATE TRIGGER sso_requests_expires_at_never_later BEFORE UPDATE OF expires_at ON sso_requests FOR EACH ROW
  WHEN (NEW.expires_at > OLD.expires_at)
  EXECUTE FUNCTION refuse_to_services('expires_at is never moved later');
