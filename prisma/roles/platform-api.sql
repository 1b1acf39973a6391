-- Rights of the platform API: skills, agents, plugins, content and MCP servers. Reads only names of accounts, and of credentials
-- only API keys and OAuth clients, which it also makes and revokes for keys: triggers refuse scopes of admins, `keys:write` and `*`.
GRANT SELECT ON _prisma_migrations, signing_keys, user_api_keys, users TO millwright_platform_api;
GRANT INSERT, UPDATE (last_used_at, revoked_at) ON user_api_keys TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE (expires_at, made_by_key, mcp_tools, name, previous_secret_hash, previous_secret_until, redirect_uris, revoked_at, secret_hash) ON
    oauth_clients TO millwright_platform_api;
-- A new key locks its owner's account, for which PostgreSQL requires the right to update a column.
GRANT UPDATE (updated_at) ON users TO millwright_platform_api;
GRANT INSERT ON governance_decisions TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE ON metric_counts, metric_hours TO millwright_platform_api;
GRANT INSERT ON content_words_left, deleted_agent_versions, deleted_agents TO millwright_platform_api;
-- A deleted agent keeps the versions with which runs have begun. Of runs it reads which those are, and no more.
GRANT SELECT (channel, started_at, state, subject_id, subject_version) ON runs TO millwright_platform_api;
GRANT SELECT, INSERT ON agent_versions, content_words, skill_versions TO millwright_platform_api;
-- A probe uses the connection of the user who registered the server: it refreshes the tokens, and deletes a connection that has
-- ended.
GRANT SELECT, UPDATE, DELETE ON mcp_connections TO millwright_platform_api;
GRANT SELECT ON quota_limits TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE ON guard_policies, quota_refusals, quota_usage, record_counts, tool_policies TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    agent_callees, agent_mcp_servers, agent_plugins, agent_skills, agents, content_items, default_agent, idempotency_keys, mcp_servers, mcp_tools, plugins, skills
    TO millwright_platform_api;
GRANT USAGE ON SEQUENCE governance_decisions_seq_seq TO millwright_platform_api;
-- Sets how knowledge is searched, and reads how far its vectors are made. Changed content is noted as work of the embedder.
GRANT SELECT, INSERT, UPDATE ON knowledge_search TO millwright_platform_api;
GRANT SELECT (generation, id, item_id, passage_id, place, project) ON content_vectors TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON vector_work TO millwright_platform_api;
GRANT USAGE ON SEQUENCE vector_work_number_seq TO millwright_platform_api;
-- Manages webhooks; reads all deliveries, and replays them.
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO millwright_platform_api;
GRANT SELECT, INSERT ON events TO millwright_platform_api;
GRANT SELECT, INSERT, UPDATE ON event_deliveries TO millwright_platform_api;
GRANT USAGE ON SEQUENCE events_seq_seq TO millwright_platform_api;
-- Manages triggers; reads all firings, and adds test firings.
GRANT SELECT, INSERT, UPDATE, DELETE ON triggers TO millwright_platform_api;
GRANT SELECT, INSERT ON trigger_firings TO millwright_platform_api;
-- Manages budgets and prices of models; reads spent amounts. After a change of the amount, a budget is reported again.
GRANT SELECT, INSERT, UPDATE, DELETE ON budgets TO millwright_platform_api;
GRANT SELECT, UPDATE (amount, exhausted_at, warned_at) ON budget_windows TO millwright_platform_api;
GRANT SELECT ON budget_waits TO millwright_platform_api;
GRANT SELECT, INSERT, DELETE ON model_prices TO millwright_platform_api;
-- Manages models of projects; reads the state of their last calls.
GRANT SELECT, INSERT, UPDATE, DELETE ON model_health, models TO millwright_platform_api;
GRANT SELECT ON projects TO millwright_platform_api;
