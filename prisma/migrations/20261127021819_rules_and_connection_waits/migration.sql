-- The rule with which a call of a tool was made or refused.
ALTER TABLE "run_steps" ADD COLUMN "rule" TEXT;
ALTER TABLE run_steps ADD CONSTRAINT run_steps_rule_check CHECK (rule IN ('allow', 'ask', 'deny')) NOT VALID;

-- CreateTable
CREATE TABLE "connection_waits" (
    "run_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_waits_pkey" PRIMARY KEY ("run_id")
);
COMMENT ON TABLE connection_waits IS 'brief: with their runs, 1,000 per user';

-- AddForeignKey
ALTER TABLE "connection_waits" ADD CONSTRAINT "connection_waits_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
COMMENT ON CONSTRAINT connection_waits_run_id_fkey ON connection_waits IS 'bounded: one for a run';
