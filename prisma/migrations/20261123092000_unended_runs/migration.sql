-- What processes look for each second, at the same cost however many runs are queued: agents with runs, runs that wait for others, and
-- runs of other runs that are queued.
CREATE INDEX runs_unended_of_subject_idx ON runs (subject_id, id) WHERE state IN ('queued', 'running', 'waiting');
CREATE INDEX runs_waiting_for_child_idx ON runs (id) WHERE state = 'waiting' AND waiting_for = 'child';
CREATE INDEX runs_queued_children_idx ON runs (id) WHERE state = 'queued' AND depth > 0;
