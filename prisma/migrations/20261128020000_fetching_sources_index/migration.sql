-- The sources of a project that processes fetch now: a process counts them before it claims another one.
CREATE INDEX knowledge_sources_fetching_idx ON knowledge_sources (project, next_at) WHERE state = 'fetching';
