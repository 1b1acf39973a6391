-- in parts
-- Calls of tools by time, which a job adds up by day.
-- part
CREATE INDEX CONCURRENTLY IF NOT EXISTS run_steps_tool_started_at_idx ON run_steps (started_at) WHERE kind = 'tool';
