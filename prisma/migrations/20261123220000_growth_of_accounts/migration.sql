-- Pages, counts and searches of accounts, OAuth clients and keys that do not read the whole table.
CREATE INDEX users_created_at_id_idx ON users (created_at, id);
CREATE INDEX users_name_id_idx ON users (name, id);
CREATE INDEX users_role_idx ON users ((coalesce(delegated_role, role)), created_at, id);
CREATE INDEX users_active_idx ON users (project, role) WHERE status = 'active';
CREATE INDEX users_search_idx ON users USING gin (name gin_trgm_ops, (email::text) gin_trgm_ops);
CREATE INDEX oauth_clients_created_at_idx ON oauth_clients (created_at, id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_clients_approved_idx ON oauth_clients (created_at, id) WHERE revoked_at IS NULL AND approved_at IS NOT NULL;
CREATE INDEX oauth_clients_project_idx ON oauth_clients (project) WHERE revoked_at IS NULL;
CREATE INDEX oauth_clients_search_idx ON oauth_clients USING gin (name gin_trgm_ops, client_id gin_trgm_ops) WHERE revoked_at IS NULL;
CREATE INDEX user_api_keys_project_idx ON user_api_keys (project) WHERE kind = 'api_key' AND revoked_at IS NULL;
CREATE INDEX mcp_tools_changed_idx ON mcp_tools (server_id) WHERE NOT (present AND approved_hash IS NOT DISTINCT FROM hash);
CREATE INDEX audit_checks_seals_idx ON audit_checks (seals);
