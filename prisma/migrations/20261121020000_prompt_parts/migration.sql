-- CreateTable
CREATE TABLE "blocks" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "tags" TEXT[],
    "log_message" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'published',
    "author" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "tags" TEXT[],
    "log_message" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'published',
    "author" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompt_labels" (
    "prompt_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "author" TEXT NOT NULL,
    "moved_by" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompt_labels_pkey" PRIMARY KEY ("prompt_id","name")
);

-- CreateIndex
CREATE INDEX "blocks_project_created_at_id_idx" ON "blocks"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "blocks_project_updated_at_id_idx" ON "blocks"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "blocks_project_title_id_idx" ON "blocks"("project", "title", "id");

-- CreateIndex
CREATE INDEX "blocks_tags_idx" ON "blocks" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "blocks_search_idx" ON "blocks" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "blocks_project_prefix_key" ON "blocks"("project", "prefix");

-- CreateIndex
CREATE INDEX "artifacts_project_created_at_id_idx" ON "artifacts"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "artifacts_project_updated_at_id_idx" ON "artifacts"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "artifacts_project_title_id_idx" ON "artifacts"("project", "title", "id");

-- CreateIndex
CREATE INDEX "artifacts_tags_idx" ON "artifacts" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "artifacts_search_idx" ON "artifacts" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "prompt_definitions_reference_idx" ON "prompt_definitions" USING GIN ("reference");

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_prompt_id_fkey" FOREIGN KEY ("prompt_id") REFERENCES "prompts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_prompt_id_version_fkey" FOREIGN KEY ("prompt_id", "version") REFERENCES "prompt_versions"("prompt_id", "version") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_moved_by_fkey" FOREIGN KEY ("moved_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;


-- Closed sets of values, and the form of names that stand in templates and paths
ALTER TABLE blocks ADD CONSTRAINT blocks_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE blocks ADD CONSTRAINT blocks_status_check CHECK (status IN ('draft', 'published', 'archived'));
ALTER TABLE blocks ADD CONSTRAINT blocks_prefix_check CHECK (prefix ~ '^[a-zA-Z_]+$' AND length(prefix) <= 100);
ALTER TABLE artifacts ADD CONSTRAINT artifacts_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE artifacts ADD CONSTRAINT artifacts_status_check CHECK (status IN ('draft', 'published', 'archived'));
ALTER TABLE prompt_labels ADD CONSTRAINT prompt_labels_name_check CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]*$' AND length(name) <= 64);
