-- AlterTable
ALTER TABLE "usage_events" ADD COLUMN     "key_id" UUID;

-- CreateTable
CREATE TABLE "usage_key_days" (
    "day" DATE NOT NULL,
    "project" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "events" INTEGER NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "cost_usd" DECIMAL(18,9),
    "known_cost_usd" DECIMAL(18,9),

    CONSTRAINT "usage_key_days_pkey" PRIMARY KEY ("day","project","key_id")
);

-- CreateTable
CREATE TABLE "usage_tool_days" (
    "day" DATE NOT NULL,
    "project" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "usage_tool_days_pkey" PRIMARY KEY ("day","project","server","tool")
);

ALTER TABLE usage_key_days ADD CONSTRAINT usage_key_days_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE usage_tool_days ADD CONSTRAINT usage_tool_days_project_check CHECK (project IN ('Core', 'Commerce'));
COMMENT ON TABLE usage_key_days IS 'kept: sums per day and API key';
COMMENT ON TABLE usage_tool_days IS 'kept: sums per day and tool';
