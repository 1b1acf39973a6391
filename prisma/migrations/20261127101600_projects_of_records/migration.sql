-- in parts
-- The project of a record has the form of a project's id. The former checks allowed the two specified projects only. NOT VALID: rows that
-- satisfied them satisfy the new ones too, and need not be read.
-- part
ALTER TABLE agents DROP CONSTRAINT IF EXISTS agents_project_check,
  ADD CONSTRAINT agents_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE artifacts DROP CONSTRAINT IF EXISTS artifacts_project_check,
  ADD CONSTRAINT artifacts_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE blocks DROP CONSTRAINT IF EXISTS blocks_project_check,
  ADD CONSTRAINT blocks_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE budgets DROP CONSTRAINT IF EXISTS budgets_project_check,
  ADD CONSTRAINT budgets_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE content_items DROP CONSTRAINT IF EXISTS content_items_project_check,
  ADD CONSTRAINT content_items_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE contexts DROP CONSTRAINT IF EXISTS contexts_project_check,
  ADD CONSTRAINT contexts_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE conversations DROP CONSTRAINT IF EXISTS conversations_project_check,
  ADD CONSTRAINT conversations_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE device_link_codes DROP CONSTRAINT IF EXISTS device_link_codes_project_check,
  ADD CONSTRAINT device_link_codes_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE events DROP CONSTRAINT IF EXISTS events_project_check,
  ADD CONSTRAINT events_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE file_knowledge DROP CONSTRAINT IF EXISTS file_knowledge_project_check,
  ADD CONSTRAINT file_knowledge_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE files DROP CONSTRAINT IF EXISTS files_project_check,
  ADD CONSTRAINT files_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE governance_decisions DROP CONSTRAINT IF EXISTS governance_decisions_project_check,
  ADD CONSTRAINT governance_decisions_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE guard_policies DROP CONSTRAINT IF EXISTS guard_policies_project_check,
  ADD CONSTRAINT guard_policies_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE mcp_servers DROP CONSTRAINT IF EXISTS mcp_servers_project_check,
  ADD CONSTRAINT mcp_servers_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE metric_hours DROP CONSTRAINT IF EXISTS metric_hours_project_check,
  ADD CONSTRAINT metric_hours_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE model_health DROP CONSTRAINT IF EXISTS model_health_project_check,
  ADD CONSTRAINT model_health_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE model_prices DROP CONSTRAINT IF EXISTS model_prices_project_check,
  ADD CONSTRAINT model_prices_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE models DROP CONSTRAINT IF EXISTS models_project_check,
  ADD CONSTRAINT models_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE oauth_clients DROP CONSTRAINT IF EXISTS oauth_clients_project_check,
  ADD CONSTRAINT oauth_clients_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE oauth_grants DROP CONSTRAINT IF EXISTS oauth_grants_project_check,
  ADD CONSTRAINT oauth_grants_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE passages DROP CONSTRAINT IF EXISTS passages_project_check,
  ADD CONSTRAINT passages_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE plugins DROP CONSTRAINT IF EXISTS plugins_project_check,
  ADD CONSTRAINT plugins_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE prompt_definitions DROP CONSTRAINT IF EXISTS prompt_definitions_project_check,
  ADD CONSTRAINT prompt_definitions_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE prompts DROP CONSTRAINT IF EXISTS prompts_project_check,
  ADD CONSTRAINT prompts_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE record_counts DROP CONSTRAINT IF EXISTS record_counts_project_check,
  ADD CONSTRAINT record_counts_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE skills DROP CONSTRAINT IF EXISTS skills_project_check,
  ADD CONSTRAINT skills_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE trigger_firings DROP CONSTRAINT IF EXISTS trigger_firings_project_check,
  ADD CONSTRAINT trigger_firings_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE triggers DROP CONSTRAINT IF EXISTS triggers_project_check,
  ADD CONSTRAINT triggers_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE usage_days DROP CONSTRAINT IF EXISTS usage_days_project_check,
  ADD CONSTRAINT usage_days_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE usage_events DROP CONSTRAINT IF EXISTS usage_events_project_check,
  ADD CONSTRAINT usage_events_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE usage_key_days DROP CONSTRAINT IF EXISTS usage_key_days_project_check,
  ADD CONSTRAINT usage_key_days_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE usage_subject_days DROP CONSTRAINT IF EXISTS usage_subject_days_project_check,
  ADD CONSTRAINT usage_subject_days_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE usage_tool_days DROP CONSTRAINT IF EXISTS usage_tool_days_project_check,
  ADD CONSTRAINT usage_tool_days_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE user_api_keys DROP CONSTRAINT IF EXISTS user_api_keys_project_check,
  ADD CONSTRAINT user_api_keys_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE users DROP CONSTRAINT IF EXISTS users_project_check,
  ADD CONSTRAINT users_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
-- part
ALTER TABLE webhooks DROP CONSTRAINT IF EXISTS webhooks_project_check,
  ADD CONSTRAINT webhooks_project_check CHECK (project ~ '^(Core|Commerce|[a-z0-9](-?[a-z0-9]){0,39})$') NOT VALID;
