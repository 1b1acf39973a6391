-- NOT VALID: rows of before have a channel of the former list, and reading them all would hold up the runs of a busy installation.
ALTER TABLE runs DROP CONSTRAINT runs_channel_check,
  ADD CONSTRAINT runs_channel_check
  CHECK (channel IN ('messages', 'a2a', 'mcp', 'console', 'agent', 'trigger', 'prompt', 'responses', 'chat', 'draft')) NOT VALID;
