-- in parts
-- The sources of a project that processes fetch now: a process counts them before it claims another one.
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_sources_fetching_idx ON knowledge_sources (project, next_at) WHERE state = 'fetching';
