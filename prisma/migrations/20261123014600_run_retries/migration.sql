-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "retry_of" UUID;
