-- Sessions that are open go on: their clients are asked nothing, and have subscribed to nothing, as before.
ALTER TABLE "mcp_sessions" ADD COLUMN     "capabilities" JSON NOT NULL DEFAULT '{}',
ADD COLUMN     "questions" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "subscriptions" TEXT[] DEFAULT ARRAY[]::TEXT[];
