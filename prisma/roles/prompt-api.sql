-- The prompt API: prompts, blocks, conversations, artifacts; agents as the known clients edit them.
GRANT SELECT ON
    _prisma_migrations, content_items, default_agent, guard_policies, mcp_servers, plugins, quota_limits, signing_keys, skills, usage_days, user_api_keys, users
    TO millwright_prompt_api;
GRANT UPDATE (last_used_at) ON user_api_keys TO millwright_prompt_api;
-- A person changes their own name.
GRANT UPDATE (name, updated_at, version) ON users TO millwright_prompt_api;
GRANT INSERT ON governance_decisions TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON metric_counts, metric_hours TO millwright_prompt_api;
GRANT SELECT, INSERT ON agent_versions, prompt_versions, usage_events TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON agents, quota_refusals, quota_usage, record_counts TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    agent_callees, agent_mcp_servers, agent_plugins, agent_skills, artifacts, blocks, conversations, idempotency_keys, prompt_definitions, prompt_labels,
    prompts, responses
    TO millwright_prompt_api;
-- Messages never change; a user deletes one of them.
GRANT SELECT, INSERT, DELETE ON conversation_messages TO millwright_prompt_api;
-- A run of a prompt, with its one step.
GRANT SELECT, INSERT, UPDATE ON run_steps, runs TO millwright_prompt_api;
GRANT SELECT, INSERT ON run_events TO millwright_prompt_api;
-- Stores what people decide about calls of tools; the calls, their arguments and their use are the runtime API's.
GRANT SELECT, UPDATE (decided_at, decided_by, reason, state) ON approvals TO millwright_prompt_api;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_prompt_api;
-- A run of an agent that a client names as its model, which the runtime API executes.
GRANT INSERT ON context_messages, contexts TO millwright_prompt_api;
-- Such a run finishes when its agent is deleted, and waits for the decisions of its client meanwhile.
GRANT SELECT ON deleted_agent_versions TO millwright_prompt_api;
-- Triggers keep the size of a conversation.
GRANT SELECT (held_bytes, held_rows, id, project), UPDATE (held_bytes, held_rows) ON contexts TO millwright_prompt_api;
-- What happens is recorded for webhooks, of which it sees who receives what and no secret.
-- It locks their rows against deletion (FOR KEY SHARE), for which PostgreSQL wants the right to update a column.
GRANT SELECT (event_types, id, project, status), UPDATE (warned_at) ON webhooks TO millwright_prompt_api;
GRANT SELECT (id, seq), INSERT ON events TO millwright_prompt_api;
GRANT SELECT (state, subject, webhook_id), INSERT ON event_deliveries TO millwright_prompt_api;
GRANT USAGE ON SEQUENCE events_seq_seq TO millwright_prompt_api;
-- Calls of models spend of budgets, whose rows it locks against changes (FOR SHARE), for which PostgreSQL wants the right to update a column.
GRANT SELECT, UPDATE (updated_at) ON budgets TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON budget_windows TO millwright_prompt_api;
GRANT SELECT, INSERT, DELETE ON budget_reservations TO millwright_prompt_api;
GRANT SELECT ON model_prices TO millwright_prompt_api;
-- Models of projects, and how they last answered.
GRANT SELECT ON models TO millwright_prompt_api;
GRANT SELECT, INSERT, UPDATE ON model_health TO millwright_prompt_api;
