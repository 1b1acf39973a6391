-- AlterTable
ALTER TABLE "users" ADD COLUMN     "credentials_revoked_at" TIMESTAMPTZ(3);
