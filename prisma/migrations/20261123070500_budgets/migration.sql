-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "budget_id" UUID;

-- CreateTable
CREATE TABLE "budgets" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "api_key_id" UUID,
    "client_id" UUID,
    "user_id" UUID,
    "agent_id" UUID,
    "trigger_id" UUID,
    "run_id" UUID,
    "period" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_windows" (
    "budget_id" UUID NOT NULL,
    "starts_on" DATE NOT NULL,
    "amount" BIGINT NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),
    "exhausted_at" TIMESTAMPTZ(3),

    CONSTRAINT "budget_windows_pkey" PRIMARY KEY ("budget_id","starts_on")
);

-- CreateTable
CREATE TABLE "budget_reservations" (
    "id" UUID NOT NULL,
    "budget_id" UUID NOT NULL,
    "starts_on" DATE NOT NULL,
    "amount" BIGINT NOT NULL,
    "run_id" UUID,
    "attempt" INTEGER,
    "lapses_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("id","budget_id")
);

-- CreateTable
CREATE TABLE "budget_waits" (
    "run_id" UUID NOT NULL,
    "budget_id" UUID NOT NULL,
    "need" BIGINT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_waits_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "model_prices" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "input" DECIMAL(14,6) NOT NULL,
    "output" DECIMAL(14,6) NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_prices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "budgets_api_key_id_idx" ON "budgets"("api_key_id");

-- CreateIndex
CREATE INDEX "budgets_client_id_idx" ON "budgets"("client_id");

-- CreateIndex
CREATE INDEX "budgets_user_id_idx" ON "budgets"("user_id");

-- CreateIndex
CREATE INDEX "budgets_agent_id_idx" ON "budgets"("agent_id");

-- CreateIndex
CREATE INDEX "budgets_trigger_id_idx" ON "budgets"("trigger_id");

-- CreateIndex
CREATE INDEX "budgets_run_id_idx" ON "budgets"("run_id");

-- CreateIndex
CREATE INDEX "budgets_created_by_idx" ON "budgets"("created_by");

-- CreateIndex
CREATE INDEX "budget_windows_starts_on_idx" ON "budget_windows"("starts_on");

-- CreateIndex
CREATE INDEX "budget_reservations_budget_id_starts_on_idx" ON "budget_reservations"("budget_id", "starts_on");

-- CreateIndex
CREATE INDEX "budget_reservations_run_id_idx" ON "budget_reservations"("run_id");

-- CreateIndex
CREATE INDEX "budget_reservations_lapses_at_idx" ON "budget_reservations"("lapses_at");

-- CreateIndex
CREATE INDEX "budget_waits_budget_id_run_id_idx" ON "budget_waits"("budget_id", "run_id");

-- CreateIndex
CREATE INDEX "model_prices_created_by_idx" ON "model_prices"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "model_prices_project_model_valid_from_key" ON "model_prices"("project", "model", "valid_from");

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "user_api_keys"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_trigger_id_fkey" FOREIGN KEY ("trigger_id") REFERENCES "triggers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budget_windows" ADD CONSTRAINT "budget_windows_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_budget_id_starts_on_fkey" FOREIGN KEY ("budget_id", "starts_on") REFERENCES "budget_windows"("budget_id", "starts_on") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "budget_waits" ADD CONSTRAINT "budget_waits_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "model_prices" ADD CONSTRAINT "model_prices_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


-- What each deletion takes with it.
COMMENT ON CONSTRAINT budgets_api_key_id_fkey ON budgets IS 'bounded: a budget for each period and unit';
COMMENT ON CONSTRAINT budgets_client_id_fkey ON budgets IS 'bounded: a budget for each period and unit';
COMMENT ON CONSTRAINT budgets_agent_id_fkey ON budgets IS 'bounded: a budget for each period and unit';
COMMENT ON CONSTRAINT budgets_trigger_id_fkey ON budgets IS 'bounded: a budget for each period and unit';
COMMENT ON CONSTRAINT budgets_run_id_fkey ON budgets IS 'bounded: one budget for a run';
COMMENT ON CONSTRAINT budget_windows_budget_id_fkey ON budget_windows IS 'bounded: a row for each day of 400';
COMMENT ON CONSTRAINT budget_reservations_budget_id_starts_on_fkey ON budget_reservations IS 'bounded: calls of models that are under way';
COMMENT ON CONSTRAINT budget_waits_run_id_fkey ON budget_waits IS 'bounded: one for a run';

ALTER TABLE budgets ADD CONSTRAINT budgets_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE budgets ADD CONSTRAINT budgets_level_check CHECK (level IN ('project', 'api_key', 'client', 'user', 'agent', 'trigger', 'run'));
ALTER TABLE budgets ADD CONSTRAINT budgets_period_check CHECK (period IN ('day', 'month', 'total'));
ALTER TABLE budgets ADD CONSTRAINT budgets_unit_check CHECK (unit IN ('usd', 'tokens'));
ALTER TABLE budgets ADD CONSTRAINT budgets_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE budgets ADD CONSTRAINT budgets_amount_check CHECK (amount BETWEEN 0 AND 1000000000000000);
ALTER TABLE budgets ADD CONSTRAINT budgets_name_check CHECK (octet_length(name) <= 800);
-- The level names the one column that is set.
ALTER TABLE budgets ADD CONSTRAINT budgets_of_level_check CHECK (
  (level = 'api_key') = (api_key_id IS NOT NULL) AND (level = 'client') = (client_id IS NOT NULL) AND
  (level = 'user') = (user_id IS NOT NULL) AND (level = 'agent') = (agent_id IS NOT NULL) AND
  (level = 'trigger') = (trigger_id IS NOT NULL) AND (level = 'run') = (run_id IS NOT NULL));
ALTER TABLE budgets ADD CONSTRAINT budgets_of_run_check CHECK (level <> 'run' OR (period = 'total' AND status = 'active'));
ALTER TABLE budget_windows ADD CONSTRAINT budget_windows_sums_check CHECK (amount >= 0 AND reserved >= 0 AND spent >= 0);
ALTER TABLE budget_reservations ADD CONSTRAINT budget_reservations_amount_check CHECK (amount >= 0);
ALTER TABLE budget_reservations ADD CONSTRAINT budget_reservations_attempt_check CHECK ((run_id IS NULL) = (attempt IS NULL));
ALTER TABLE budget_waits ADD CONSTRAINT budget_waits_need_check CHECK (need >= 0);
ALTER TABLE model_prices ADD CONSTRAINT model_prices_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE model_prices ADD CONSTRAINT model_prices_model_check CHECK (octet_length(model) <= 800);
ALTER TABLE model_prices ADD CONSTRAINT model_prices_prices_check CHECK (input BETWEEN 0 AND 1000000 AND output BETWEEN 0 AND 1000000);

-- One budget for each level, period and unit. Those of runs are as many as there are runs: lists leave them out.
CREATE UNIQUE INDEX budgets_one_idx ON budgets (project, level, period, unit,
  coalesce(api_key_id, client_id, user_id, agent_id, trigger_id)) NULLS NOT DISTINCT WHERE level <> 'run';
CREATE UNIQUE INDEX budgets_one_of_run_idx ON budgets (run_id) WHERE level = 'run';
CREATE INDEX budgets_of_project_idx ON budgets (project) WHERE level = 'project';
CREATE INDEX budgets_created_idx ON budgets (project, created_at, id) WHERE level <> 'run';

-- What was spent stays spent, and a budget stays one of the same thing.
CREATE TRIGGER budget_windows_spent_never_less BEFORE UPDATE OF spent ON budget_windows FOR EACH ROW
  WHEN (NEW.spent < OLD.spent) EXECUTE FUNCTION refuse_to_services('what was spent never becomes less');
CREATE TRIGGER budgets_subject_never_changes BEFORE UPDATE OF project, level, period, unit ON budgets FOR EACH ROW
  WHEN ((OLD.project, OLD.level, OLD.period, OLD.unit) IS DISTINCT FROM (NEW.project, NEW.level, NEW.period, NEW.unit))
  EXECUTE FUNCTION refuse_to_services('what a budget is of never changes');
