-- Checks of the former release used the keys of the database.
ALTER TABLE "audit_checks" ADD COLUMN "keys" TEXT NOT NULL DEFAULT 'database';
ALTER TABLE audit_checks ADD CONSTRAINT audit_checks_keys_check CHECK (keys IN ('pinned', 'database'));
