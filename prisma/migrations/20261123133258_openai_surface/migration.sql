-- Runs that a client started by a model's name, and chat completions.
ALTER TABLE runs DROP CONSTRAINT runs_subject_kind_check,
  ADD CONSTRAINT runs_subject_kind_check CHECK (subject_kind IN ('agent', 'prompt', 'model'));
ALTER TABLE runs DROP CONSTRAINT runs_channel_check,
  ADD CONSTRAINT runs_channel_check
  CHECK (channel IN ('messages', 'a2a', 'mcp', 'console', 'agent', 'trigger', 'prompt', 'responses', 'chat'));
ALTER TABLE usage_events DROP CONSTRAINT usage_events_kind_check,
  ADD CONSTRAINT usage_events_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run', 'model_run'));
ALTER TABLE usage_days DROP CONSTRAINT usage_days_kind_check,
  ADD CONSTRAINT usage_days_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run', 'model_run'));
ALTER TABLE usage_subject_days DROP CONSTRAINT usage_subject_days_kind_check,
  ADD CONSTRAINT usage_subject_days_kind_check CHECK (kind IN ('agent_message', 'agent_step', 'prompt_run', 'model_run'));

-- Calls of a client's own tools, and their outputs.
ALTER TABLE "conversation_messages" ADD COLUMN "tool_call_id" TEXT,
ADD COLUMN "tool_calls" JSON;
