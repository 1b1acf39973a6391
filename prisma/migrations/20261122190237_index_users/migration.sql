-- CreateIndex
CREATE INDEX "agent_versions_created_by_idx" ON "agent_versions"("created_by");

-- CreateIndex
CREATE INDEX "agents_created_by_idx" ON "agents"("created_by");

-- CreateIndex
CREATE INDEX "artifacts_created_by_idx" ON "artifacts"("created_by");

-- CreateIndex
CREATE INDEX "blocks_created_by_idx" ON "blocks"("created_by");

-- CreateIndex
CREATE INDEX "content_items_created_by_idx" ON "content_items"("created_by");

-- CreateIndex
CREATE INDEX "conversations_user_id_idx" ON "conversations"("user_id");

-- CreateIndex
CREATE INDEX "files_created_by_idx" ON "files"("created_by");

-- CreateIndex
CREATE INDEX "mcp_servers_created_by_idx" ON "mcp_servers"("created_by");

-- CreateIndex
CREATE INDEX "oauth_authorizations_user_id_idx" ON "oauth_authorizations"("user_id");

-- CreateIndex
CREATE INDEX "plugins_created_by_idx" ON "plugins"("created_by");

-- CreateIndex
CREATE INDEX "prompt_labels_moved_by_idx" ON "prompt_labels"("moved_by");

-- CreateIndex
CREATE INDEX "prompt_versions_created_by_idx" ON "prompt_versions"("created_by");

-- CreateIndex
CREATE INDEX "prompts_created_by_idx" ON "prompts"("created_by");

-- CreateIndex
CREATE INDEX "skill_versions_created_by_idx" ON "skill_versions"("created_by");

-- CreateIndex
CREATE INDEX "skills_created_by_idx" ON "skills"("created_by");

-- CreateIndex
CREATE INDEX "usage_events_user_id_idx" ON "usage_events"("user_id");

