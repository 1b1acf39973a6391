-- A retry finds the run that an earlier attempt of its request has started.
CREATE INDEX runs_idempotency_key_idx ON runs (idempotency_key) WHERE idempotency_key IS NOT NULL;
