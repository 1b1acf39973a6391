-- CreateIndex
CREATE INDEX "contexts_project_updated_at_idx" ON "contexts"("project", "updated_at");

