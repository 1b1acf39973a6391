-- AlterTable
ALTER TABLE "users" ADD COLUMN     "recovery_after" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "account_notices" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "request_id" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_notices_user_id_idx" ON "account_notices"("user_id");

-- CreateIndex
CREATE INDEX "account_notices_due_at_idx" ON "account_notices"("due_at");

-- AddForeignKey
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE account_notices ADD CONSTRAINT account_notices_kind_check CHECK (kind IN ('email_changed', 'passkeys_removed'));
