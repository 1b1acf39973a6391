-- AlterTable
ALTER TABLE "context_messages" ADD COLUMN     "failed" BOOLEAN,
ADD COLUMN     "source" TEXT,
ADD COLUMN     "untrusted" BOOLEAN;
