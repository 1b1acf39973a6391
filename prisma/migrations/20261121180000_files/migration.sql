-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "content_type" TEXT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "files_project_created_at_id_idx" ON "files"("project", "created_at", "id");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE files ADD CONSTRAINT files_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE files ADD CONSTRAINT files_size_check CHECK (size > 0);
ALTER TABLE files ADD CONSTRAINT files_sha256_check CHECK (octet_length(sha256) = 32);
