-- CreateTable
CREATE TABLE "scim_users" (
    "issuer" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scim_users_pkey" PRIMARY KEY ("issuer","user_id")
);

-- CreateTable
CREATE TABLE "scim_groups" (
    "id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scim_groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_members" (
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "scim_members_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateIndex
CREATE INDEX "scim_users_user_id_idx" ON "scim_users"("user_id");

-- CreateIndex
CREATE INDEX "scim_users_issuer_external_id_idx" ON "scim_users"("issuer", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "scim_groups_issuer_display_name_key" ON "scim_groups"("issuer", "display_name");

-- CreateIndex
CREATE INDEX "scim_members_user_id_idx" ON "scim_members"("user_id");

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "scim_members" ADD CONSTRAINT "scim_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "scim_groups"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "scim_members" ADD CONSTRAINT "scim_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
