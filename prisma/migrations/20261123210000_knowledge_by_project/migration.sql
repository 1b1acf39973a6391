-- The work that is due, by project: processes take it in round-robin order of the projects.
DROP INDEX file_knowledge_due_idx;
CREATE INDEX file_knowledge_due_idx ON file_knowledge (project, next_at) WHERE state IN ('waiting', 'indexing');
