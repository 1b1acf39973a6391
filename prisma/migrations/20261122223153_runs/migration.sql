-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "on_unknown" TEXT NOT NULL DEFAULT 'ask',
ADD COLUMN     "stopped_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "mcp_tools" ADD COLUMN     "repeatable_hash" BYTEA;

-- AlterTable
ALTER TABLE "plugins" ADD COLUMN     "repeatable_version" INTEGER;

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_name" TEXT NOT NULL,
    "subject_version" INTEGER,
    "channel" TEXT NOT NULL,
    "parent_id" UUID,
    "depth" SMALLINT NOT NULL DEFAULT 0,
    "credential_kind" TEXT,
    "credential_id" TEXT,
    "caller" JSON NOT NULL,
    "context_id" UUID,
    "message_id" UUID,
    "input" JSON,
    "answer_id" UUID,
    "output" TEXT,
    "state" TEXT NOT NULL,
    "waiting_for" TEXT,
    "state_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "error_code" TEXT,
    "error_status" INTEGER,
    "error_text" TEXT,
    "model" TEXT,
    "idempotency_key" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "worker" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "step_count" INTEGER NOT NULL DEFAULT 0,
    "tool_call_count" INTEGER NOT NULL DEFAULT 0,
    "prompt_tokens" BIGINT NOT NULL DEFAULT 0,
    "completion_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(18,9),
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "feedback" TEXT,
    "feedback_comment" TEXT,
    "trace_id" TEXT,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_steps" (
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "asked_by" INTEGER,
    "model" TEXT,
    "parameters" JSON,
    "through_seq" INTEGER,
    "added" JSON,
    "answer" TEXT,
    "calls" JSON,
    "call_id" TEXT,
    "tool" TEXT,
    "server" TEXT,
    "definition_hash" BYTEA,
    "arguments" TEXT,
    "arguments_hash" BYTEA,
    "idempotency_key" TEXT,
    "result" TEXT,
    "untrusted" BOOLEAN,
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "cost_usd" DECIMAL(18,9),
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_token_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_status" INTEGER,
    "error_text" TEXT,

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateIndex
CREATE INDEX "runs_project_id_idx" ON "runs"("project", "id" DESC);

-- CreateIndex
CREATE INDEX "runs_user_id_id_idx" ON "runs"("user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "runs_subject_id_id_idx" ON "runs"("subject_id", "id" DESC);

-- CreateIndex
CREATE INDEX "runs_user_id_subject_id_state_at_id_idx" ON "runs"("user_id", "subject_id", "state_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "runs_context_id_idx" ON "runs"("context_id");

-- CreateIndex
CREATE INDEX "runs_parent_id_idx" ON "runs"("parent_id");

-- CreateIndex
CREATE INDEX "run_events_at_idx" ON "run_events" USING BRIN ("at");

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_context_id_fkey" FOREIGN KEY ("context_id") REFERENCES "contexts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

ALTER TABLE agents ADD CONSTRAINT agents_on_unknown_check CHECK (on_unknown IN ('ask', 'tell', 'fail'));
ALTER TABLE runs ADD CONSTRAINT runs_subject_kind_check CHECK (subject_kind IN ('agent', 'prompt'));
ALTER TABLE runs ADD CONSTRAINT runs_channel_check
  CHECK (channel IN ('messages', 'a2a', 'mcp', 'console', 'agent', 'trigger', 'prompt', 'responses'));
ALTER TABLE runs ADD CONSTRAINT runs_credential_kind_check
  CHECK (credential_kind IN ('api_key', 'access_token', 'gateway_token', 'area_token'));
ALTER TABLE runs ADD CONSTRAINT runs_state_check CHECK (state IN ('queued', 'running', 'waiting', 'completed', 'failed', 'canceled'));
ALTER TABLE runs ADD CONSTRAINT runs_waiting_for_check CHECK (waiting_for IN ('approval', 'input', 'budget', 'outcome', 'connection'));
ALTER TABLE runs ADD CONSTRAINT runs_waits_for_something CHECK ((state = 'waiting') = (waiting_for IS NOT NULL));
ALTER TABLE runs ADD CONSTRAINT runs_ends CHECK ((state IN ('completed', 'failed', 'canceled')) = (ended_at IS NOT NULL));
ALTER TABLE runs ADD CONSTRAINT runs_has_worker CHECK (state <> 'running' OR (worker IS NOT NULL AND lease_until IS NOT NULL AND attempt > 0));
ALTER TABLE runs ADD CONSTRAINT runs_feedback_check CHECK (feedback IN ('up', 'down'));
ALTER TABLE run_steps ADD CONSTRAINT run_steps_kind_check CHECK (kind IN ('model', 'tool'));
ALTER TABLE run_steps ADD CONSTRAINT run_steps_outcome_check CHECK (outcome IN ('started', 'succeeded', 'failed', 'unknown'));

-- Runs that have not ended: what processes look for. Neither the lease nor the count of events is part of it, so that their changes
-- stay within the page, for which each page keeps room.
CREATE INDEX runs_active_idx ON runs (project, id) WHERE state IN ('queued', 'running', 'waiting');
ALTER TABLE runs SET (fillfactor = 80);
