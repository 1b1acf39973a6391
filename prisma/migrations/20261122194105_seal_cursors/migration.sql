-- CreateTable
CREATE TABLE "audit_seal_cursors" (
    "receiver" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_seal_cursors_pkey" PRIMARY KEY ("receiver")
);


-- Closed set of values
ALTER TABLE audit_seal_cursors ADD CONSTRAINT audit_seal_cursors_receiver_check CHECK (receiver IN ('log', 'webhook'));
