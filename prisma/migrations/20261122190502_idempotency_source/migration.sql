-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "source" JSON;

