-- The audit rows of a run. Rows of before are found by their detail as they were.

-- AlterTable
ALTER TABLE "governance_decisions" ADD COLUMN     "run" TEXT;

-- CreateIndex
CREATE INDEX "governance_decisions_run_seq_idx" ON "governance_decisions"("run", "seq");

-- Filled by the database, so that the former release's rows have it too. No service chooses it.
CREATE FUNCTION name_run_of_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.run := coalesce(NEW.detail ->> 'run', substring(NEW.resource FROM '^run_.*'));
  RETURN NEW;
END $$;
CREATE TRIGGER governance_decisions_run BEFORE INSERT ON governance_decisions FOR EACH ROW EXECUTE FUNCTION name_run_of_decision();
