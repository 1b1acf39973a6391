-- AlterTable
ALTER TABLE "users" ADD COLUMN     "grants_epoch" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "oauth_grants_client_id_created_at_idx" ON "oauth_grants"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "oauth_grants_expires_at_idx" ON "oauth_grants"("expires_at");

-- Lowering it would bring back grants that have ended.
CREATE TRIGGER users_grants_epoch_never_lower BEFORE UPDATE OF grants_epoch ON users FOR EACH ROW
  WHEN (NEW.grants_epoch < OLD.grants_epoch)
  EXECUTE FUNCTION refuse_to_services('grants_epoch only grows');
