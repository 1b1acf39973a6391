-- AlterTable
ALTER TABLE "users" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "devices" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "certificate" TEXT NOT NULL,
    "serial" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_link_codes" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "project" TEXT NOT NULL,
    "device_name" TEXT,
    "code_challenge" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "device_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_link_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_nonces" (
    "nonce_hash" BYTEA NOT NULL,
    "device_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_nonces_pkey" PRIMARY KEY ("nonce_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "devices_key_id_key" ON "devices"("key_id");

-- CreateIndex
CREATE UNIQUE INDEX "devices_serial_key" ON "devices"("serial");

-- CreateIndex
CREATE INDEX "devices_user_id_created_at_idx" ON "devices"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_link_codes_code_hash_key" ON "device_link_codes"("code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_link_codes_device_id_key" ON "device_link_codes"("device_id");

-- CreateIndex
CREATE INDEX "device_link_codes_user_id_idx" ON "device_link_codes"("user_id");

-- CreateIndex
CREATE INDEX "device_link_codes_expires_at_idx" ON "device_link_codes"("expires_at");

-- CreateIndex
CREATE INDEX "device_nonces_device_id_idx" ON "device_nonces"("device_id");

-- CreateIndex
CREATE INDEX "device_nonces_expires_at_idx" ON "device_nonces"("expires_at");

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "user_api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "device_link_codes" ADD CONSTRAINT "device_link_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "device_link_codes" ADD CONSTRAINT "device_link_codes_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "device_nonces" ADD CONSTRAINT "device_nonces_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


-- Closed sets of values; hashes are whole SHA-256 values.
ALTER TABLE users ADD CONSTRAINT users_deleted_at_check CHECK (deleted_at IS NULL OR status = 'inactive');
ALTER TABLE device_link_codes ADD CONSTRAINT device_link_codes_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE device_link_codes ADD CONSTRAINT device_link_codes_code_hash_check CHECK (octet_length(code_hash) = 32);
ALTER TABLE device_nonces ADD CONSTRAINT device_nonces_nonce_hash_check CHECK (octet_length(nonce_hash) = 32);
