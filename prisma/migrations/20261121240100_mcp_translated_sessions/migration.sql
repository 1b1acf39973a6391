-- AlterTable
ALTER TABLE "mcp_sessions" ALTER COLUMN "upstream_id" DROP NOT NULL,
ADD COLUMN     "log_level" TEXT,
ADD COLUMN     "cancelled" TEXT[] DEFAULT ARRAY[]::TEXT[];
