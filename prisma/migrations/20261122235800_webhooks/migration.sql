-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "event_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status" TEXT NOT NULL DEFAULT 'active',
    "secret" TEXT NOT NULL,
    "former_secret" TEXT,
    "former_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "project" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_deliveries" (
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retry_until" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhooks_project_created_at_id_idx" ON "webhooks"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhooks_project_updated_at_id_idx" ON "webhooks"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "webhooks_project_name_id_idx" ON "webhooks"("project", "name", "id");

-- CreateIndex
CREATE INDEX "webhooks_created_by_idx" ON "webhooks"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "webhooks_project_name_key" ON "webhooks"("project", "name");

-- CreateIndex
CREATE UNIQUE INDEX "events_seq_key" ON "events"("seq");

-- CreateIndex
CREATE INDEX "events_project_created_at_idx" ON "events"("project", "created_at");

-- CreateIndex
CREATE INDEX "event_deliveries_event_id_idx" ON "event_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "event_deliveries_webhook_id_id_idx" ON "event_deliveries"("webhook_id", "id" DESC);

-- CreateIndex
CREATE INDEX "event_deliveries_webhook_id_state_id_idx" ON "event_deliveries"("webhook_id", "state", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "event_deliveries_webhook_id_event_id_key" ON "event_deliveries"("webhook_id", "event_id");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_deliveries" ADD CONSTRAINT "event_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_deliveries" ADD CONSTRAINT "event_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE RESTRICT;


ALTER TABLE webhooks ADD CONSTRAINT webhooks_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE webhooks ADD CONSTRAINT webhooks_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE webhooks ADD CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('failing', 'gone'));
ALTER TABLE webhooks ADD CONSTRAINT webhooks_former_check CHECK ((former_secret IS NULL) = (former_until IS NULL));
ALTER TABLE events ADD CONSTRAINT events_project_check CHECK (project IN ('Core', 'Commerce'));

ALTER TABLE events ADD CONSTRAINT events_data_check CHECK (octet_length(data::text) <= 65536);
ALTER TABLE event_deliveries ADD CONSTRAINT event_deliveries_state_check CHECK (state IN ('pending', 'delivered', 'failed', 'skipped'));
ALTER TABLE event_deliveries ADD CONSTRAINT event_deliveries_answer_check CHECK (octet_length(answer) <= 16384);

-- What is due, and what comes first of a subject.
CREATE INDEX event_deliveries_due_idx ON event_deliveries (webhook_id, next_at) WHERE state = 'pending';
CREATE INDEX event_deliveries_order_idx ON event_deliveries (webhook_id, subject, seq) WHERE state = 'pending';

-- Messages wait here for minutes: the table is small.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked', 'recovery_used',
                    'role_changed', 'webhook_failing', 'webhook_disabled'));
