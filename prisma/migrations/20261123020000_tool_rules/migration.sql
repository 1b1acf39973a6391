-- Rules of tools: whether agents and MCP clients call them by themselves, after a person's decision, or not at all.

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "ask_tools" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "mcp_tools" ADD COLUMN     "other_decider" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rule" TEXT,
ADD COLUMN     "rule_hash" BYTEA;

-- AlterTable
ALTER TABLE "plugins" ADD COLUMN     "other_decider" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rule" TEXT,
ADD COLUMN     "rule_version" INTEGER;

-- CreateTable
CREATE TABLE "tool_policies" (
    "project" TEXT NOT NULL,
    "unmarked_tools" TEXT NOT NULL,
    "other_decider" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_policies_pkey" PRIMARY KEY ("project")
);

ALTER TABLE mcp_tools ADD CONSTRAINT mcp_tools_rule_check CHECK (rule IN ('allow', 'ask', 'deny'));
ALTER TABLE plugins ADD CONSTRAINT plugins_rule_check CHECK (rule IN ('allow', 'ask', 'deny'));
ALTER TABLE tool_policies ADD CONSTRAINT tool_policies_unmarked_tools_check
  CHECK (unmarked_tools IN ('allow', 'ask_when_tainted', 'ask'));

-- Projects that have tools already keep calling them, whatever new installations begin with.
INSERT INTO tool_policies (project, unmarked_tools)
SELECT project, 'allow' FROM mcp_servers UNION SELECT project, 'allow' FROM plugins;
