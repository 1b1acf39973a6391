-- The most that each run of a trigger may spend.
ALTER TABLE "triggers" ADD COLUMN "budget_unit" TEXT, ADD COLUMN "budget_amount" BIGINT;
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_budget_unit_check" CHECK (budget_unit IN ('usd', 'tokens'));
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_budget_check" CHECK (
    (budget_unit IS NULL) = (budget_amount IS NULL) AND budget_amount BETWEEN 1 AND 1000000000000000);
