-- The runtime API: runs agents, holds files and contexts, and is the OAuth server. Plugins and servers are read only.
GRANT SELECT ON _prisma_migrations, default_agent, guard_policies, mcp_tools, oauth_consents, quota_limits, tool_policies TO millwright_runtime_api;
-- Administrators create and edit skills and agents over MCP, and delete none there.
GRANT SELECT, INSERT, UPDATE ON agents, skills TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON agent_callees, agent_mcp_servers, agent_plugins, agent_skills TO millwright_runtime_api;
GRANT SELECT, INSERT ON agent_versions, skill_versions TO millwright_runtime_api;
-- What an agent is given is held until it has it, which needs a right to change something of it.
GRANT SELECT, UPDATE (updated_at) ON plugins TO millwright_runtime_api;
-- Nobody becomes an admin from here: triggers refuse it to who may not change roles.
GRANT SELECT, INSERT, UPDATE (credentials_revoked_at, deleted_at, disabled_at, email, grants_epoch, name, recovery_after, status, updated_at, version) ON
    users
    TO millwright_runtime_api;
-- Deactivating a user ends what they hold, and no more.
GRANT SELECT, UPDATE (revoked_at) ON device_link_codes, devices, user_api_keys TO millwright_runtime_api;
GRANT UPDATE (last_used_at) ON user_api_keys TO millwright_runtime_api;
GRANT SELECT, UPDATE (revoked_at, revoked_reason) ON user_sessions TO millwright_runtime_api;
GRANT SELECT, UPDATE (expires_at) ON console_codes, magic_link_tokens, setup_tokens TO millwright_runtime_api;
-- A changed address leaves a message to the former one, which admin-auth sends.
GRANT INSERT ON account_notices, governance_decisions TO millwright_runtime_api;
-- A task's end is its last change; a job of admin-auth deletes it.
GRANT SELECT, INSERT, UPDATE ON tasks TO millwright_runtime_api;
GRANT SELECT, INSERT, DELETE ON task_chunks TO millwright_runtime_api;
-- A conversation that its user deletes is given to a deleted agent: a job of admin-auth deletes it.
GRANT INSERT ON content_words_left TO millwright_runtime_api;
-- The same row of a conversation with a draft is moved ahead by each of its messages.
GRANT SELECT, INSERT, UPDATE (at) ON deleted_agents TO millwright_runtime_api;
-- Runs of deleted agents finish on the version with which they began.
GRANT SELECT ON deleted_agent_versions TO millwright_runtime_api;
-- Of a message it changes only whether its run failed, and by which message it was replaced.
GRANT SELECT, INSERT, UPDATE (failed, replaced_by) ON context_messages TO millwright_runtime_api;
GRANT SELECT, INSERT ON content_words, usage_days, usage_events TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON
    contexts, mcp_connection_requests, metric_counts, metric_hours, oauth_authorizations, oauth_clients, oauth_codes, oauth_grants, oauth_refresh_tokens, quota_refusals, quota_usage, record_counts
    TO millwright_runtime_api;
-- Its own keys: a trigger refuses those of another issuer.
GRANT SELECT, INSERT, UPDATE (active_at, retired_at) ON signing_keys TO millwright_runtime_api;
-- A tool that is no longer what was approved has its server asked again.
GRANT SELECT, UPDATE (generations, probe_due_at) ON mcp_servers TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    content_items, file_knowledge, files, idempotency_keys, mcp_connections, mcp_sessions, mcp_shared_sessions, mcp_upstream_clients, mcp_upstream_sessions, mcp_waiting_calls
    TO millwright_runtime_api;
-- Passages of files: complete ones are activated, and none is changed.
GRANT SELECT, INSERT, UPDATE (status), DELETE ON passages TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON deleted_knowledge TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE knowledge_attempts TO millwright_runtime_api;
-- Runs of agents; jobs of admin-auth delete them.
GRANT SELECT, INSERT, UPDATE ON approvals, run_steps, runs TO millwright_runtime_api;
GRANT SELECT, INSERT ON run_events TO millwright_runtime_api;
-- What receivers of tasks of A2A get.
GRANT SELECT, INSERT, UPDATE, DELETE ON push_configs, push_notifications TO millwright_runtime_api;
-- An assertion is good once: a job of admin-auth deletes those that have expired.
GRANT INSERT ON oauth_used_assertions TO millwright_runtime_api;
-- Whom an identity provider means in an assertion, and nothing else of it.
GRANT SELECT (issuer, subject, user_id) ON sso_identities TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_runtime_api;
-- What happens is recorded for webhooks, of which it sees who receives what and no secret.
-- It locks their rows against deletion (FOR KEY SHARE), for which PostgreSQL wants the right to update a column.
GRANT SELECT (event_types, id, project, status), UPDATE (warned_at) ON webhooks TO millwright_runtime_api;
GRANT SELECT (id, seq), INSERT ON events TO millwright_runtime_api;
GRANT SELECT (state, subject, webhook_id), INSERT ON event_deliveries TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE events_seq_seq TO millwright_runtime_api;
-- Fires triggers: it notes what came of it and disables those that fail, and changes nothing of what they do.
GRANT SELECT, UPDATE (context_id, disabled_reason, failures, firing_count, last_fired_at, next_at, status, updated_at, version) ON triggers TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON trigger_firings TO millwright_runtime_api;
-- Calls of models spend of budgets, whose rows it locks against changes (FOR SHARE). It adds those of runs.
GRANT SELECT, INSERT, UPDATE (updated_at) ON budgets TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON budget_windows TO millwright_runtime_api;
GRANT SELECT, INSERT, DELETE ON budget_reservations TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_waits, connection_waits TO millwright_runtime_api;
GRANT SELECT ON model_prices TO millwright_runtime_api;
-- Models of projects, and how they last answered.
GRANT SELECT ON models TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON model_health TO millwright_runtime_api;
