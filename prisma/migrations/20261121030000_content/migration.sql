-- CreateTable
CREATE TABLE "content_items" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "tags" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'active',
    "slug" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'platform',
    "kind" TEXT NOT NULL DEFAULT 'document',
    "public" BOOLEAN NOT NULL DEFAULT false,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_items_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "content_items_project_created_at_id_idx" ON "content_items"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "content_items_project_updated_at_id_idx" ON "content_items"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "content_items_project_title_id_idx" ON "content_items"("project", "title", "id");

-- CreateIndex
CREATE INDEX "content_items_tags_idx" ON "content_items" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "content_items_search_idx" ON "content_items" USING GIN ("title" gin_trgm_ops, "body" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "content_items_project_source_slug_key" ON "content_items"("project", "source", "slug");

-- AddForeignKey
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE content_items ADD CONSTRAINT content_items_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE content_items ADD CONSTRAINT content_items_status_check CHECK (status IN ('active', 'inactive'));
