-- A user's runs that wait for budgets, of which there is a limit.
CREATE INDEX "runs_waiting_for_budget_idx" ON "runs" ("user_id") WHERE "waiting_for" = 'budget';
