-- CreateTable
CREATE TABLE "usage_subject_days" (
    "day" DATE NOT NULL,
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "events" INTEGER NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "cost_usd" DECIMAL(18,9),

    CONSTRAINT "usage_subject_days_pkey" PRIMARY KEY ("day","project","kind","subject_id")
);

-- CreateTable
CREATE TABLE "metric_hours" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "project" TEXT NOT NULL,
    "area" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "bucket_ms" INTEGER NOT NULL DEFAULT 0,
    "n" BIGINT NOT NULL,

    CONSTRAINT "metric_hours_pkey" PRIMARY KEY ("project","hour","metric","area","bucket_ms")
);

-- CreateIndex
CREATE INDEX "user_api_keys_expires_at_idx" ON "user_api_keys"("expires_at");

-- The days that are added up already; the others are by the job, both ways at once.
INSERT INTO usage_subject_days (day, project, kind, subject_id, events, prompt_tokens, completion_tokens, cost_usd)
SELECT (at AT TIME ZONE 'UTC')::date, project, kind, subject_id, count(*), sum(prompt_tokens::bigint), sum(completion_tokens::bigint), sum(cost_usd)
  FROM usage_events WHERE at < ((SELECT max(day) + 1 FROM usage_days)::timestamp AT TIME ZONE 'UTC')
 GROUP BY 1, project, kind, subject_id;

-- Steps of agents are usage of a day as well: a day with one could not be added up.
ALTER TABLE usage_days DROP CONSTRAINT usage_days_kind_check,
  ADD CONSTRAINT usage_days_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run'));
ALTER TABLE usage_subject_days ADD CONSTRAINT usage_subject_days_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE usage_subject_days ADD CONSTRAINT usage_subject_days_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run'));
ALTER TABLE metric_hours ADD CONSTRAINT metric_hours_project_check CHECK (project IN ('Core', 'Commerce'));
