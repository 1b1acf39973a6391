-- in parts
-- Runs that wait for a person, at the same cost however many wait for budgets or other runs; a user's runs that wait for an account; and
-- users with runs, for the scan for runs of users who are not active any more.
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_waiting_for_person_idx ON runs (project, id)
  WHERE state = 'waiting' AND waiting_for IN ('approval', 'input', 'outcome', 'connection');
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_waiting_for_connection_idx ON runs (user_id) WHERE waiting_for = 'connection';
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS runs_unended_of_user_idx ON runs (user_id, id) WHERE state IN ('queued', 'running', 'waiting');
-- part
ALTER TABLE run_steps VALIDATE CONSTRAINT run_steps_rule_check;
