-- CreateTable
CREATE TABLE "triggers" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "agent" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "context" TEXT NOT NULL DEFAULT 'new',
    "context_id" UUID,
    "overlap" TEXT NOT NULL,
    "missed" TEXT NOT NULL DEFAULT 'skip',
    "schedule" TEXT,
    "timezone" TEXT,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "address" TEXT,
    "signature" TEXT,
    "secret" TEXT,
    "former_secret" TEXT,
    "former_until" TIMESTAMPTZ(3),
    "owner_id" UUID NOT NULL,
    "rights" JSON NOT NULL,
    "max_failures" INTEGER NOT NULL DEFAULT 10,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "firing_count" INTEGER NOT NULL DEFAULT 0,
    "last_fired_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "triggers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trigger_firings" (
    "id" UUID NOT NULL,
    "trigger_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "input" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "trigger_firings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "triggers_address_key" ON "triggers"("address");

-- CreateIndex
CREATE INDEX "triggers_project_created_at_id_idx" ON "triggers"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "triggers_project_updated_at_id_idx" ON "triggers"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "triggers_project_name_id_idx" ON "triggers"("project", "name", "id");

-- CreateIndex
CREATE INDEX "triggers_owner_id_idx" ON "triggers"("owner_id");

-- CreateIndex
CREATE INDEX "triggers_deleted_at_id_idx" ON "triggers"("deleted_at", "id");

-- CreateIndex
CREATE INDEX "triggers_created_by_idx" ON "triggers"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "triggers_project_name_key" ON "triggers"("project", "name");

-- CreateIndex
CREATE INDEX "trigger_firings_project_created_at_idx" ON "trigger_firings"("project", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "trigger_firings_trigger_id_number_key" ON "trigger_firings"("trigger_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "trigger_firings_trigger_id_key_key" ON "trigger_firings"("trigger_id", "key");

-- AddForeignKey
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "trigger_firings" ADD CONSTRAINT "trigger_firings_trigger_id_fkey" FOREIGN KEY ("trigger_id") REFERENCES "triggers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


ALTER TABLE triggers ADD CONSTRAINT triggers_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE triggers ADD CONSTRAINT triggers_kind_check CHECK (kind IN ('cron', 'webhook'));
ALTER TABLE triggers ADD CONSTRAINT triggers_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE triggers ADD CONSTRAINT triggers_disabled_reason_check CHECK (disabled_reason IN ('owner', 'failing'));
ALTER TABLE triggers ADD CONSTRAINT triggers_context_check CHECK (context IN ('new', 'same'));
ALTER TABLE triggers ADD CONSTRAINT triggers_overlap_check CHECK (overlap IN ('skip', 'queue', 'allow'));
ALTER TABLE triggers ADD CONSTRAINT triggers_missed_check CHECK (missed IN ('skip', 'once'));
ALTER TABLE triggers ADD CONSTRAINT triggers_signature_check CHECK (signature IN ('standard', 'github', 'stripe'));
ALTER TABLE triggers ADD CONSTRAINT triggers_cron_check
  CHECK (kind <> 'cron' OR (schedule IS NOT NULL AND timezone IS NOT NULL AND address IS NULL AND secret IS NULL));
ALTER TABLE triggers ADD CONSTRAINT triggers_webhook_check
  CHECK (kind <> 'webhook' OR deleted_at IS NOT NULL OR (address IS NOT NULL AND signature IS NOT NULL AND secret IS NOT NULL AND schedule IS NULL AND next_at IS NULL));
ALTER TABLE triggers ADD CONSTRAINT triggers_next_check CHECK (next_at IS NULL OR status = 'active');
ALTER TABLE triggers ADD CONSTRAINT triggers_former_check CHECK ((former_secret IS NULL) = (former_until IS NULL));
ALTER TABLE triggers ADD CONSTRAINT triggers_input_check CHECK (octet_length(input) <= 80000);
ALTER TABLE triggers ADD CONSTRAINT triggers_rights_check CHECK (octet_length(rights::text) <= 65536);
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_source_check CHECK (source IN ('schedule', 'webhook', 'test'));
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_state_check
  CHECK (state IN ('pending', 'started', 'completed', 'failed', 'canceled', 'skipped'));
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_reason_check
  CHECK (reason IN ('missed', 'overlap', 'full', 'inactive', 'owner', 'agent', 'message', 'quota', 'conflict', 'unavailable', 'run'));
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_ended_check CHECK ((ended_at IS NULL) = (state IN ('pending', 'started')));
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_input_check CHECK (octet_length(input) <= 800000);
ALTER TABLE trigger_firings ADD CONSTRAINT trigger_firings_key_check CHECK (octet_length(key) <= 300);

-- What is due, what waits to start, what runs, and what of a trigger has not ended.
CREATE INDEX triggers_due_idx ON triggers (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX trigger_firings_due_idx ON trigger_firings (next_at) WHERE state = 'pending';
CREATE INDEX trigger_firings_started_idx ON trigger_firings (run_id) WHERE state = 'started';
CREATE INDEX trigger_firings_active_idx ON trigger_firings (trigger_id, number) WHERE state IN ('pending', 'started');

-- What is deleted stays deleted, and its firings, which grow with use, are deleted before it in steps.
CREATE TRIGGER triggers_deleted_at_is_final BEFORE UPDATE OF deleted_at ON triggers FOR EACH ROW
    WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
    EXECUTE FUNCTION refuse_to_services('deleted_at never changes again');
COMMENT ON CONSTRAINT trigger_firings_trigger_id_fkey ON trigger_firings IS 'growing: a firing for each scheduled time and post';
