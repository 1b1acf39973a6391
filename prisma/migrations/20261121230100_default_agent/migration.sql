-- CreateTable
CREATE TABLE "default_agent" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "agent_id" UUID NOT NULL,

    CONSTRAINT "default_agent_pkey" PRIMARY KEY ("one")
);

-- CreateIndex
CREATE UNIQUE INDEX "default_agent_agent_id_key" ON "default_agent"("agent_id");

-- AddForeignKey
ALTER TABLE "default_agent" ADD CONSTRAINT "default_agent_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE default_agent ADD CONSTRAINT default_agent_one_check CHECK (one);

-- A context without an agent is one with the built-in concierge.
-- AlterTable
ALTER TABLE "contexts" ALTER COLUMN "agent_id" DROP NOT NULL;
