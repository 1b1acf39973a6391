-- CreateTable
CREATE TABLE "models" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "upstream_model" TEXT NOT NULL,
    "api_key" TEXT,
    "parameters" JSONB NOT NULL DEFAULT '{}',
    "context_window" INTEGER NOT NULL,
    "max_output" INTEGER,
    "fallbacks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_health" (
    "project" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "failure_kind" TEXT,
    "failure_status" INTEGER,
    "failure_text" TEXT,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "model_health_pkey" PRIMARY KEY ("project","model")
);

-- CreateIndex
CREATE INDEX "models_created_by_idx" ON "models"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "models_project_name_key" ON "models"("project", "name");

-- AddForeignKey
ALTER TABLE "models" ADD CONSTRAINT "models_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


-- At most one default model of a project.
CREATE UNIQUE INDEX models_default_idx ON models (project) WHERE is_default;
-- Who uses a model that is about to be deleted.
CREATE INDEX agents_model_idx ON agents (project, model) WHERE model IS NOT NULL;

ALTER TABLE models ADD CONSTRAINT models_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE models ADD CONSTRAINT models_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE models ADD CONSTRAINT models_name_check CHECK (octet_length(name) BETWEEN 1 AND 800);
ALTER TABLE models ADD CONSTRAINT models_preset_check CHECK (octet_length(preset) <= 50);
ALTER TABLE models ADD CONSTRAINT models_base_url_check CHECK (octet_length(base_url) <= 8000);
ALTER TABLE models ADD CONSTRAINT models_upstream_model_check CHECK (octet_length(upstream_model) <= 800);
ALTER TABLE models ADD CONSTRAINT models_tokens_check CHECK (context_window > 0 AND max_output > 0);
ALTER TABLE models ADD CONSTRAINT models_fallbacks_check CHECK (cardinality(fallbacks) <= 10);
ALTER TABLE model_health ADD CONSTRAINT model_health_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE model_health ADD CONSTRAINT model_health_model_check CHECK (octet_length(model) <= 800);
ALTER TABLE model_health ADD CONSTRAINT model_health_failure_kind_check
  CHECK (failure_kind IN ('timeout', 'rate_limited', 'failed', 'unreachable', 'rejected', 'garbage'));
ALTER TABLE model_health ADD CONSTRAINT model_health_failure_text_check CHECK (octet_length(failure_text) <= 4000);

COMMENT ON TABLE models IS 'fixed: 100 per project at most';
COMMENT ON TABLE model_health IS 'fixed: one per model of a project and of the environment';
