-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret_hash" BYTEA,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3);
