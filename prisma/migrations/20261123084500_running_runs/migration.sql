-- Runs that are executed: what processes count and whose leases they check, however many are queued. The lease is no part of it, so that
-- its renewals stay within the page.
CREATE INDEX runs_running_idx ON runs (project, id) WHERE state = 'running';
