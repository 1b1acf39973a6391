-- Seals are sent to a bucket with Object Lock, too. The table has one row per receiver.
ALTER TABLE audit_seal_cursors DROP CONSTRAINT audit_seal_cursors_receiver_check,
  ADD CONSTRAINT audit_seal_cursors_receiver_check CHECK (receiver IN ('log', 'webhook', 's3'));
