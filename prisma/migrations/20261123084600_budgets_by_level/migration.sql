-- The few budgets of a project are found among those of its runs, which grow with use.
CREATE INDEX "budgets_project_level_idx" ON "budgets"("project", "level");
-- Agents by the tags of their content.
CREATE INDEX "agents_content_tags_idx" ON "agents" USING GIN ("content_tags");
