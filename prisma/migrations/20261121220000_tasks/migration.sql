-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "agent" TEXT NOT NULL,
    "context_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "message" JSON NOT NULL,
    "answer_id" UUID,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "task_chunks" (
    "task_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "starts" BOOLEAN NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "task_chunks_pkey" PRIMARY KEY ("task_id","seq")
);

-- CreateIndex
CREATE INDEX "tasks_user_id_agent_status_at_id_idx" ON "tasks"("user_id", "agent", "status_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tasks_context_id_idx" ON "tasks"("context_id");

-- CreateIndex
CREATE INDEX "tasks_status_at_idx" ON "tasks"("status_at");

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_context_id_fkey" FOREIGN KEY ("context_id") REFERENCES "contexts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "task_chunks" ADD CONSTRAINT "task_chunks_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE tasks ADD CONSTRAINT tasks_state_check CHECK (state IN ('working', 'completed', 'failed', 'canceled'));
