-- Failed runs of a project, latest first: what lists of them read.
CREATE INDEX runs_failed_idx ON runs (project, id) WHERE state = 'failed';
