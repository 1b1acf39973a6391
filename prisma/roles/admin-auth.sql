-- Rights of admin-auth: accounts with their sign-in, credentials and sessions; the audit log; scheduled jobs and their queues.
GRANT SELECT ON _prisma_migrations, agent_skills, agents, prompts, skills, usage_events TO millwright_admin_auth;
-- Inserting a change makes or drops a partition; a trigger checks which.
GRANT SELECT, INSERT ON partition_changes TO millwright_admin_auth;
GRANT SELECT (project, search) ON content_items, passages TO millwright_admin_auth;
GRANT SELECT (project) ON knowledge_sources TO millwright_admin_auth;
-- Inserting a checkpoint removes the seals and rows that it covers; a trigger checks what it may cover.
GRANT SELECT, INSERT ON audit_checkpoints, audit_checks, audit_seals, governance_decisions, sso_sessions TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE (external_id) ON scim_users TO millwright_admin_auth;
GRANT SELECT, INSERT, DELETE ON scim_members TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE (display_name, external_id, updated_at), DELETE ON scim_groups TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE (decided_at, decided_by, outcome), DELETE ON platform_admin_requests TO millwright_admin_auth;
-- An identity never moves to another user; unlinking deletes it.
GRANT SELECT, INSERT, UPDATE (last_used_at), DELETE ON sso_identities TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_verification TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE ON
    audit_seal_cursors, devices, installation_secrets, metric_counts, oauth_consents, passkeys, record_counts, user_api_keys, user_sessions, users
    TO millwright_admin_auth;
-- Signing keys of admin-auth. A trigger refuses changes of other issuers' keys, except their revocation.
GRANT SELECT, INSERT, UPDATE (active_at, retired_at, revoked_at) ON signing_keys TO millwright_admin_auth;
GRANT SELECT, UPDATE ON mcp_servers TO millwright_admin_auth;
GRANT SELECT, INSERT, DELETE ON sso_logout_tokens, usage_days, usage_key_days, usage_subject_days TO millwright_admin_auth;
-- Adds up tool calls. Reads only which tool was called, when, and how the call ended.
GRANT SELECT, INSERT, UPDATE (calls, failed) ON usage_tool_days TO millwright_admin_auth;
GRANT SELECT (kind, outcome, run_id, server, started_at, tool) ON run_steps TO millwright_admin_auth;
-- Names of the records that audit rows are about.
GRANT SELECT (id, name) ON budgets, models, plugins TO millwright_admin_auth;
GRANT SELECT (deleted_at, id, name) ON triggers TO millwright_admin_auth;
GRANT SELECT (id, title) ON content_items TO millwright_admin_auth;
-- Deleting expired rows locks them first, for which PostgreSQL requires the right to update a column.
GRANT SELECT, UPDATE (expires_at), DELETE ON oauth_used_assertions TO millwright_admin_auth;
GRANT UPDATE (expires_at) ON sso_logout_tokens TO millwright_admin_auth;
GRANT SELECT, UPDATE (used_at), DELETE ON mcp_waiting_calls TO millwright_admin_auth;
GRANT SELECT, DELETE ON content_words TO millwright_admin_auth;
GRANT SELECT, INSERT, DELETE ON deleted_agents TO millwright_admin_auth;
-- It waits for the runs of deleted agents that finish on a former version.
GRANT SELECT (agent_id) ON deleted_agent_versions TO millwright_admin_auth;
GRANT SELECT, UPDATE, DELETE ON
    content_words_left, mcp_connection_requests, mcp_connections, oauth_authorizations, oauth_grants, oauth_refresh_tokens, task_chunks, tasks
    TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    account_notices, console_codes, device_link_codes, device_nonces, idempotency_keys, job_runs, magic_link_requests, magic_link_tokens, mcp_tools, metric_hours, oauth_clients,
    session_refresh_tokens, setup_tokens, sso_requests, webauthn_ceremonies
    TO millwright_admin_auth;
-- Deletes conversations that are deleted, expired, or of deleted agents. Reads only their owner and the columns that select them.
GRANT SELECT (agent_id, id, project, updated_at), UPDATE (agent_id), DELETE ON contexts TO millwright_admin_auth;
GRANT SELECT (context_id, id), DELETE ON context_messages TO millwright_admin_auth;
-- Deletes deleted prompts with their versions.
GRANT DELETE ON prompts TO millwright_admin_auth;
GRANT SELECT (prompt_id, version), DELETE ON prompt_versions TO millwright_admin_auth;
-- Deletes conversations that are deleted or expired. Reads only their age and their forks, and of dependent rows only the
-- conversation that they belong to.
GRANT SELECT (deleted_at, id, parent_id, parent_until, project, status, updated_at), UPDATE (deleted_at), DELETE ON conversations TO millwright_admin_auth;
GRANT SELECT (conversation_id, id, seq), DELETE ON conversation_messages TO millwright_admin_auth;
GRANT SELECT (conversation_id, id), DELETE ON responses TO millwright_admin_auth;
GRANT DELETE ON usage_events TO millwright_admin_auth;
-- Deletes expired runs, runs of deleted conversations, and streamed parts of answers that no client follows any more.
GRANT SELECT (content_removed_at, context_id, conversation_id, ended_at, id, parent_id, project, state, user_id), DELETE ON runs TO millwright_admin_auth;
GRANT SELECT (at, run_id, seq, type), DELETE ON run_events TO millwright_admin_auth;
-- Removes the texts of runs that are past the retention of texts, by a trigger.
GRANT UPDATE (content_removed_at) ON runs TO millwright_admin_auth;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_admin_auth;
GRANT USAGE ON SCHEMA pgboss TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO millwright_admin_auth;
-- Sets quotas, and subtracts deleted records from the usage.
GRANT SELECT ON quota_recount, quota_refusals TO millwright_admin_auth;
GRANT SELECT, INSERT, UPDATE ON quota_limits, quota_usage TO millwright_admin_auth;
-- Sends events to webhooks, and deletes expired events. Cannot change a webhook's address.
GRANT SELECT, UPDATE (disabled_reason, failing_since, former_secret, secret, status, updated_at, version, warned_at), DELETE ON webhooks TO millwright_admin_auth;
GRANT SELECT, DELETE ON events TO millwright_admin_auth;
GRANT SELECT, UPDATE, DELETE ON event_deliveries TO millwright_admin_auth;
-- Deletes expired firings and firings of deleted triggers. Reads only the age and the trigger's name.
GRANT SELECT (created_at, id, project, state, trigger_id), DELETE ON trigger_firings TO millwright_admin_auth;
GRANT DELETE ON triggers TO millwright_admin_auth;
-- Returns reservations of processes that died, and deletes amounts spent in periods long past.
GRANT SELECT, UPDATE (reserved), DELETE ON budget_windows TO millwright_admin_auth;
GRANT SELECT, DELETE ON budget_reservations TO millwright_admin_auth;
-- Projects that platform admins make. Triggers keep the ids, and the specified projects.
GRANT SELECT, INSERT, UPDATE (deleted_at, name) ON projects TO millwright_admin_auth;
-- A project is deleted when it has none of these records.
GRANT SELECT (project) ON artifacts, blocks, models, plugins, triggers TO millwright_admin_auth;
GRANT SELECT (deleted_at, project) ON webhooks TO millwright_admin_auth;
GRANT SELECT (level, project) ON budgets TO millwright_admin_auth;
