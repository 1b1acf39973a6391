-- CreateTable
CREATE TABLE "push_configs" (
    "run_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secrets" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_configs_pkey" PRIMARY KEY ("run_id","id")
);

-- CreateTable
CREATE TABLE "push_notifications" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "config_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retry_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "push_notifications_next_at_idx" ON "push_notifications"("next_at");

-- CreateIndex
CREATE INDEX "push_notifications_run_id_config_id_id_idx" ON "push_notifications"("run_id", "config_id", "id");

-- AddForeignKey
ALTER TABLE "push_configs" ADD CONSTRAINT "push_configs_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "push_notifications" ADD CONSTRAINT "push_notifications_run_id_config_id_fkey" FOREIGN KEY ("run_id", "config_id") REFERENCES "push_configs"("run_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE push_notifications ADD CONSTRAINT push_notifications_state_check
  CHECK (state IN ('completed', 'failed', 'canceled', 'input_required', 'auth_required'));
COMMENT ON CONSTRAINT push_configs_run_id_fkey ON push_configs IS 'bounded: 10 configurations of a run';
COMMENT ON CONSTRAINT push_notifications_run_id_config_id_fkey ON push_notifications IS 'bounded: the states of a run that are not delivered';
