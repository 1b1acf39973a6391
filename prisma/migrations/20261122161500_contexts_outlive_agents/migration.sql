-- DropForeignKey
ALTER TABLE "contexts" DROP CONSTRAINT "contexts_agent_id_fkey";

-- CreateTable
CREATE TABLE "deleted_agents" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_agents_pkey" PRIMARY KEY ("id")
);
