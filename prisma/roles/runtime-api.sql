-- Rights of the runtime API: runs of agents, files, conversations, and the OAuth server. It only reads plugins and servers.
GRANT SELECT ON _prisma_migrations, default_agent, guard_policies, mcp_tools, oauth_consents, quota_limits, tool_policies TO millwright_runtime_api;
-- Administrators create and edit skills and agents over MCP, but cannot delete them there.
GRANT SELECT, INSERT, UPDATE ON agents, skills TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON agent_callees, agent_mcp_servers, agent_plugins, agent_skills TO millwright_runtime_api;
GRANT SELECT, INSERT ON agent_versions, skill_versions TO millwright_runtime_api;
-- Attaching a plugin to an agent locks the plugin's row, for which PostgreSQL requires the right to update a column.
GRANT SELECT, UPDATE (updated_at) ON plugins TO millwright_runtime_api;
-- Cannot make an account an admin: triggers refuse role changes by this service.
GRANT SELECT, INSERT, UPDATE (credentials_revoked_at, deleted_at, disabled_at, email, grants_epoch, name, recovery_after, status, updated_at, version) ON
    users
    TO millwright_runtime_api;
-- Deactivating a user ends the user's credentials.
GRANT SELECT, UPDATE (revoked_at) ON device_link_codes, devices, user_api_keys TO millwright_runtime_api;
GRANT UPDATE (last_used_at) ON user_api_keys TO millwright_runtime_api;
GRANT SELECT, UPDATE (revoked_at, revoked_reason) ON user_sessions TO millwright_runtime_api;
GRANT SELECT, UPDATE (expires_at) ON console_codes, magic_link_tokens, setup_tokens TO millwright_runtime_api;
-- A change of an address queues a message to the former address; admin-auth sends it.
GRANT INSERT ON account_notices, governance_decisions TO millwright_runtime_api;
-- Completes tasks of the former release; a job of admin-auth deletes them.
GRANT SELECT, INSERT, UPDATE ON tasks TO millwright_runtime_api;
GRANT SELECT, INSERT, DELETE ON task_chunks TO millwright_runtime_api;
-- When a user deletes a conversation, it is assigned to a deleted agent; a job of admin-auth then deletes it.
GRANT INSERT ON content_words_left TO millwright_runtime_api;
-- Each message of a conversation with a draft postpones its deletion.
GRANT SELECT, INSERT, UPDATE (at) ON deleted_agents TO millwright_runtime_api;
-- Runs of deleted agents finish on the version with which they began.
GRANT SELECT ON deleted_agent_versions TO millwright_runtime_api;
-- Of a message it changes only whether its run failed, and by which message it was replaced.
GRANT SELECT, INSERT, UPDATE (failed, replaced_by) ON context_messages TO millwright_runtime_api;
GRANT SELECT, INSERT ON context_images TO millwright_runtime_api;
GRANT SELECT, INSERT ON content_words, usage_days, usage_events TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON
    contexts, mcp_connection_requests, metric_counts, metric_hours, oauth_authorizations, oauth_clients, oauth_codes, oauth_grants, oauth_refresh_tokens, quota_refusals, quota_usage, record_counts
    TO millwright_runtime_api;
-- Signing keys of the runtime API. A trigger refuses changes of other issuers' keys.
GRANT SELECT, INSERT, UPDATE (active_at, retired_at) ON signing_keys TO millwright_runtime_api;
-- Makes the next probe of a server due when a tool differs from its approved definition.
GRANT SELECT, UPDATE (generations, probe_due_at) ON mcp_servers TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    content_items, file_knowledge, files, idempotency_keys, knowledge_sources, mcp_connections, mcp_sessions, mcp_shared_sessions, mcp_upstream_clients, mcp_upstream_sessions, mcp_waiting_calls
    TO millwright_runtime_api;
-- Activates passages of texts that are complete; never changes other columns.
GRANT SELECT, INSERT, UPDATE (status), DELETE ON passages TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON deleted_knowledge TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE knowledge_attempts TO millwright_runtime_api;
-- Makes the vectors of content and passages, by the setting of an admin.
GRANT SELECT, UPDATE (attempt, failed_at, failure, length, listed_at, listed_id, listing, next_at, refused, state, tries) ON knowledge_search TO millwright_runtime_api;
GRANT SELECT, INSERT, DELETE ON content_vectors TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON vector_work TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE vector_work_number_seq TO millwright_runtime_api;
-- Stores runs of agents; jobs of admin-auth delete them.
GRANT SELECT, INSERT, UPDATE ON approvals, run_steps, runs TO millwright_runtime_api;
GRANT SELECT, INSERT ON run_events TO millwright_runtime_api;
-- Stores and sends push notifications about A2A tasks.
GRANT SELECT, INSERT, UPDATE, DELETE ON push_configs, push_notifications TO millwright_runtime_api;
-- Stores used assertions, because each is accepted only once; a job of admin-auth deletes expired ones.
GRANT INSERT ON oauth_used_assertions TO millwright_runtime_api;
-- Finds the user whom an identity provider names in an assertion; other columns are not readable.
GRANT SELECT (issuer, subject, user_id) ON sso_identities TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_runtime_api;
-- Records events for webhooks. Reads which webhooks receive a type, but no secret. Locks the rows of webhooks against deletion
-- (FOR KEY SHARE), for which PostgreSQL requires the right to update a column.
GRANT SELECT (event_types, id, project, status), UPDATE (warned_at) ON webhooks TO millwright_runtime_api;
GRANT SELECT (id, seq), INSERT ON events TO millwright_runtime_api;
GRANT SELECT (state, subject, webhook_id), INSERT ON event_deliveries TO millwright_runtime_api;
GRANT USAGE ON SEQUENCE events_seq_seq TO millwright_runtime_api;
-- Fires triggers: stores the result of a firing and disables failing triggers, but cannot change what a trigger does.
GRANT SELECT, UPDATE (context_id, disabled_reason, failures, firing_count, last_fired_at, next_at, status, updated_at, version) ON triggers TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON trigger_firings TO millwright_runtime_api;
-- Model calls spend from budgets. Locks the rows of budgets against changes (FOR SHARE). Adds the budgets of runs.
GRANT SELECT, INSERT, UPDATE (updated_at) ON budgets TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON budget_windows TO millwright_runtime_api;
GRANT SELECT, INSERT, DELETE ON budget_reservations TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_waits, connection_waits TO millwright_runtime_api;
GRANT SELECT ON model_prices TO millwright_runtime_api;
-- Reads models of projects, and stores the state of their last calls.
GRANT SELECT ON models TO millwright_runtime_api;
GRANT SELECT, INSERT, UPDATE ON model_health TO millwright_runtime_api;
GRANT SELECT ON projects TO millwright_runtime_api;
