-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "ended_tokens" TEXT[] DEFAULT ARRAY[]::TEXT[];
