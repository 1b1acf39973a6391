-- Clients that register themselves or describe themselves have no owner and no project of their own.
ALTER TABLE "oauth_clients"
    ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'settings',
    ADD COLUMN "auth_method" TEXT NOT NULL DEFAULT 'client_secret_basic',
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ALTER COLUMN "user_id" DROP NOT NULL,
    ALTER COLUMN "project" DROP NOT NULL;

-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN "resources" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "oauth_authorizations" (
    "id" UUID NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "client_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "state" TEXT,
    "scopes" TEXT[],
    "resources" TEXT[],
    "code_challenge" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" UUID,
    "granted" TEXT[],
    "ticket_hash" BYTEA,
    "decided_at" TIMESTAMPTZ(3),
    "returned_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_authorizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_codes" (
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "authorization_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "grant_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_consents" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "scopes" TEXT[],
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_consents_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_authorizations_request_hash_key" ON "oauth_authorizations"("request_hash");

-- CreateIndex
CREATE INDEX "oauth_authorizations_expires_at_idx" ON "oauth_authorizations"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_codes_code_hash_key" ON "oauth_codes"("code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_consents_user_id_client_id_key" ON "oauth_consents"("user_id", "client_id");

-- AddForeignKey
ALTER TABLE "oauth_authorizations" ADD CONSTRAINT "oauth_authorizations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_authorizations" ADD CONSTRAINT "oauth_authorizations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_authorization_id_fkey" FOREIGN KEY ("authorization_id") REFERENCES "oauth_authorizations"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "oauth_grants"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_consents" ADD CONSTRAINT "oauth_consents_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_kind_check CHECK (kind IN ('settings', 'registered', 'document'));
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_owner_check CHECK ((kind = 'settings') = (user_id IS NOT NULL AND project IS NOT NULL));
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_auth_method_check
    CHECK (auth_method IN ('client_secret_basic', 'client_secret_post', 'none') AND (auth_method = 'none') = (secret_hash IS NULL));
ALTER TABLE oauth_authorizations ADD CONSTRAINT oauth_authorizations_hash_check
    CHECK (octet_length(request_hash) = 32 AND octet_length(browser_hash) = 32 AND octet_length(ticket_hash) = 32);
ALTER TABLE oauth_codes ADD CONSTRAINT oauth_codes_code_hash_check CHECK (octet_length(code_hash) = 32);
