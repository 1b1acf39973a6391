-- The verification of the audit log goes on in a job, and over restarts.

-- CreateTable
CREATE TABLE "audit_verification" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seals" INTEGER NOT NULL,
    "verified" INTEGER NOT NULL,
    "state" JSON NOT NULL,

    CONSTRAINT "audit_verification_pkey" PRIMARY KEY ("one")
);

ALTER TABLE audit_verification ADD CONSTRAINT audit_verification_one_check CHECK (one);

COMMENT ON TABLE audit_verification IS 'fixed: one at a time';

-- Filters of the audit log that read the whole table without one. Most decisions allow; those that deny are few.

-- CreateIndex
CREATE INDEX "governance_decisions_actor_id_at_idx" ON "governance_decisions"("actor_id", "at");

-- CreateIndex
CREATE INDEX "governance_decisions_decision_at_idx" ON "governance_decisions"("decision", "at");
