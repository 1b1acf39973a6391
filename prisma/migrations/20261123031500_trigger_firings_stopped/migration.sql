-- A firing is left out while an admin has stopped its agent.
ALTER TABLE trigger_firings DROP CONSTRAINT trigger_firings_reason_check,
  ADD CONSTRAINT trigger_firings_reason_check
    CHECK (reason IN ('missed', 'overlap', 'full', 'inactive', 'stopped', 'owner', 'agent', 'message', 'quota', 'conflict', 'unavailable', 'run'));
