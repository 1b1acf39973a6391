-- The few budgets of a project are found among those of its runs, which grow with use.
CREATE INDEX "budgets_project_level_idx" ON "budgets"("project", "level");
-- Agents by the tags of their content.
CREATE INDEX "agents_content_tags_idx" ON "agents" USING GIN ("content_tags");
-- A user's conversations with one agent, latest first.
CREATE INDEX "contexts_user_id_agent_id_updated_at_idx" ON "contexts"("user_id", "agent_id", "updated_at");
DROP INDEX "contexts_user_id_updated_at_idx";
-- A user's model calls of the month.
CREATE INDEX "usage_events_user_id_at_idx" ON "usage_events"("user_id", "at");
DROP INDEX "usage_events_user_id_idx";
-- The accounts of a project, oldest first.
CREATE INDEX "users_project_created_at_id_idx" ON "users"("project", "created_at", "id");
-- Few of many: platform admins, published agents, and sessions that were not ended.
CREATE INDEX users_platform_admin_idx ON users (id) WHERE platform_admin;
CREATE INDEX agents_published_idx ON agents (created_at, id) WHERE published;
CREATE INDEX user_sessions_live_idx ON user_sessions (user_id, expires_at) WHERE revoked_at IS NULL;
