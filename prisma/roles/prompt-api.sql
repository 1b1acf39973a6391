-- Rights of the prompt API: prompts, blocks, conversations and artifacts; agents, as known clients edit them.
GRANT SELECT ON
    _prisma_migrations, content_items, default_agent, guard_policies, mcp_servers, plugins, quota_limits, signing_keys, skills, usage_days, user_api_keys, users
    TO millwright_prompt_api;
GRANT UPDATE (last_used_at) ON user_api_keys TO millwright_prompt_api;
-- Users change their own name.
GRANT UPDATE (name, updated_at, version) ON users TO millwright_prompt_api;
GRANT INSERT ON governance_decisions TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON metric_counts, metric_hours TO millwright_prompt_api;
GRANT SELECT, INSERT ON agent_versions, prompt_versions, usage_events TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON agents, quota_refusals, quota_usage, record_counts TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    agent_callees, agent_mcp_servers, agent_plugins, agent_skills, artifacts, blocks, conversations, idempotency_keys, prompt_definitions, prompt_labels,
    prompts, responses
    TO millwright_prompt_api;
-- Messages never change; users can delete single messages.
GRANT SELECT, INSERT, DELETE ON conversation_messages TO millwright_prompt_api;
-- Stores runs of prompts, each with its steps.
GRANT SELECT, INSERT, UPDATE ON run_steps, runs TO millwright_prompt_api;
GRANT SELECT, INSERT ON run_events TO millwright_prompt_api;
-- Stores people's decisions about tool calls. The calls, their arguments and the use of the decision belong to the runtime API.
GRANT SELECT, UPDATE (decided_at, decided_by, reason, state) ON approvals TO millwright_prompt_api;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_prompt_api;
-- Starts runs of agents that clients name as their model; the runtime API executes these runs.
GRANT INSERT ON context_images, context_messages, contexts TO millwright_prompt_api;
-- Such a run may be of an unsaved agent, which keeps its conversation for some days, with tools of MCP servers by their names.
GRANT SELECT (at, id), INSERT, UPDATE (at) ON deleted_agents TO millwright_prompt_api;
GRANT SELECT (approved_hash, hash, name, present, server_id) ON mcp_tools TO millwright_prompt_api;
-- Such a run finishes when its agent is deleted, and waits for the decisions of its client meanwhile.
GRANT SELECT ON deleted_agent_versions TO millwright_prompt_api;
-- Triggers keep the size of a conversation.
GRANT SELECT (held_bytes, held_rows, id, project), UPDATE (held_bytes, held_rows) ON contexts TO millwright_prompt_api;
-- Records events for webhooks. Reads which webhooks receive a type, but no secret. Locks the rows of webhooks against deletion
-- (FOR KEY SHARE), for which PostgreSQL requires the right to update a column.
GRANT SELECT (event_types, id, project, status), UPDATE (warned_at) ON webhooks TO millwright_prompt_api;
GRANT SELECT (id, seq), INSERT ON events TO millwright_prompt_api;
GRANT SELECT (state, subject, webhook_id), INSERT ON event_deliveries TO millwright_prompt_api;
GRANT USAGE ON SEQUENCE events_seq_seq TO millwright_prompt_api;
-- Model calls spend from budgets. Locks the rows of budgets against changes (FOR SHARE), for which PostgreSQL requires the right
-- to update a column.
GRANT SELECT, UPDATE (updated_at) ON budgets TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON budget_windows TO millwright_prompt_api;
GRANT SELECT, INSERT, DELETE ON budget_reservations TO millwright_prompt_api;
GRANT SELECT ON model_prices TO millwright_prompt_api;
-- Reads models of projects, and stores the state of their last calls.
GRANT SELECT ON models TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON model_health TO millwright_prompt_api;
GRANT SELECT ON projects TO millwright_prompt_api;
