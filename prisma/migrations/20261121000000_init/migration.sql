-- citext: emails compare without case. pg_trgm: search by substring uses an index.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateTable
CREATE TABLE "skills" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "parameters" JSON NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "skills_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "model" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "published" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_skills" (
    "agent_id" UUID NOT NULL,
    "skill_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_skills_pkey" PRIMARY KEY ("agent_id","skill_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" CITEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'user',
    "platform_admin" BOOLEAN NOT NULL DEFAULT false,
    "project" TEXT NOT NULL DEFAULT 'Core',
    "status" TEXT NOT NULL DEFAULT 'active',
    "webauthn_user_id" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setup_tokens" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "origin" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setup_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_api_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "plan" TEXT NOT NULL DEFAULT 'standard',
    "project" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "successor_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "secret_hash" BYTEA,
    "redirect_uris" TEXT[],
    "scopes" TEXT[],
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_grants" (
    "id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "scopes" TEXT[],
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_refresh_tokens" (
    "id" UUID NOT NULL,
    "grant_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_refresh_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "governance_decisions" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "project" TEXT,
    "decision" TEXT NOT NULL,
    "reason" TEXT,
    "request_id" TEXT,
    "ip" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "governance_decisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "record_counts" (
    "project" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "record_counts_pkey" PRIMARY KEY ("project","kind","status","slot")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "id" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "headers" JSON,
    "body" JSON,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompts" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'published',
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "tags" TEXT[],
    "author" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompt_versions" (
    "prompt_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "instruction" JSON NOT NULL,
    "input" JSON NOT NULL,
    "output" JSON NOT NULL,
    "metadata" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompt_versions_pkey" PRIMARY KEY ("prompt_id","version")
);

-- CreateTable
CREATE TABLE "prompt_definitions" (
    "id" UUID NOT NULL,
    "prompt_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "type" JSON NOT NULL,
    "reference" UUID[],
    "schema" JSON NOT NULL,

    CONSTRAINT "prompt_definitions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "metadata" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'published',
    "author" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_messages" (
    "id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "reference" JSONB NOT NULL DEFAULT '[]',
    "model" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contexts" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contexts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "context_messages" (
    "id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "model" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "context_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_events" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "project" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_version" INTEGER,
    "model" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(18,9),

    CONSTRAINT "usage_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "skills_project_created_at_id_idx" ON "skills"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "skills_project_updated_at_id_idx" ON "skills"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "skills_project_name_id_idx" ON "skills"("project", "name", "id");

-- CreateIndex
CREATE INDEX "skills_search_idx" ON "skills" USING GIN ("name" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "skills_project_name_key" ON "skills"("project", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agents_slug_key" ON "agents"("slug");

-- CreateIndex
CREATE INDEX "agents_project_created_at_id_idx" ON "agents"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "agents_project_updated_at_id_idx" ON "agents"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "agents_project_name_id_idx" ON "agents"("project", "name", "id");

-- CreateIndex
CREATE INDEX "agents_search_idx" ON "agents" USING GIN ("name" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "agents_project_name_key" ON "agents"("project", "name");

-- CreateIndex
CREATE INDEX "agent_skills_skill_id_idx" ON "agent_skills"("skill_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_webauthn_user_id_key" ON "users"("webauthn_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "setup_tokens_token_hash_key" ON "setup_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "setup_tokens_user_id_idx" ON "setup_tokens"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_api_keys_public_id_key" ON "user_api_keys"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_api_keys_successor_id_key" ON "user_api_keys"("successor_id");

-- CreateIndex
CREATE INDEX "user_api_keys_user_id_created_at_idx" ON "user_api_keys"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_clients_client_id_key" ON "oauth_clients"("client_id");

-- CreateIndex
CREATE INDEX "oauth_clients_user_id_created_at_idx" ON "oauth_clients"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "oauth_grants_client_id_idx" ON "oauth_grants"("client_id");

-- CreateIndex
CREATE INDEX "oauth_grants_user_id_idx" ON "oauth_grants"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_refresh_tokens_token_hash_key" ON "oauth_refresh_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "oauth_refresh_tokens_grant_id_idx" ON "oauth_refresh_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "governance_decisions_at_id_idx" ON "governance_decisions"("at", "id");

-- CreateIndex
CREATE INDEX "governance_decisions_user_id_at_idx" ON "governance_decisions"("user_id", "at");

-- CreateIndex
CREATE INDEX "governance_decisions_action_at_idx" ON "governance_decisions"("action", "at");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "prompts_project_created_at_id_idx" ON "prompts"("project", "created_at", "id");

-- CreateIndex
CREATE INDEX "prompts_project_updated_at_id_idx" ON "prompts"("project", "updated_at", "id");

-- CreateIndex
CREATE INDEX "prompts_project_title_id_idx" ON "prompts"("project", "title", "id");

-- CreateIndex
CREATE INDEX "prompts_tags_idx" ON "prompts" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "prompts_search_idx" ON "prompts" USING GIN ("title" gin_trgm_ops, "description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "prompt_definitions_prompt_id_kind_key" ON "prompt_definitions"("prompt_id", "kind");

-- CreateIndex
CREATE INDEX "conversations_project_created_at_id_idx" ON "conversations"("project", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "conversation_messages_conversation_id_seq_key" ON "conversation_messages"("conversation_id", "seq");

-- CreateIndex
CREATE INDEX "contexts_agent_id_idx" ON "contexts"("agent_id");

-- CreateIndex
CREATE INDEX "contexts_user_id_updated_at_idx" ON "contexts"("user_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "context_messages_context_id_seq_key" ON "context_messages"("context_id", "seq");

-- CreateIndex
CREATE INDEX "usage_events_project_at_idx" ON "usage_events"("project", "at");

-- AddForeignKey
ALTER TABLE "skills" ADD CONSTRAINT "skills_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_skills" ADD CONSTRAINT "agent_skills_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_skills" ADD CONSTRAINT "agent_skills_skill_id_fkey" FOREIGN KEY ("skill_id") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "setup_tokens" ADD CONSTRAINT "setup_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_api_keys" ADD CONSTRAINT "user_api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_api_keys" ADD CONSTRAINT "user_api_keys_successor_id_fkey" FOREIGN KEY ("successor_id") REFERENCES "user_api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "oauth_refresh_tokens" ADD CONSTRAINT "oauth_refresh_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "oauth_grants"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "governance_decisions" ADD CONSTRAINT "governance_decisions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_id_fkey" FOREIGN KEY ("prompt_id") REFERENCES "prompts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "prompt_definitions" ADD CONSTRAINT "prompt_definitions_prompt_id_fkey" FOREIGN KEY ("prompt_id") REFERENCES "prompts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "contexts" ADD CONSTRAINT "contexts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "contexts" ADD CONSTRAINT "contexts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "context_messages" ADD CONSTRAINT "context_messages_context_id_fkey" FOREIGN KEY ("context_id") REFERENCES "contexts"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Closed sets of values
ALTER TABLE users ADD CONSTRAINT users_role_check CHECK (role IN ('admin', 'user'));
ALTER TABLE users ADD CONSTRAINT users_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE users ADD CONSTRAINT users_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE setup_tokens ADD CONSTRAINT setup_tokens_origin_check CHECK (origin IN ('registration', 'operator'));
ALTER TABLE user_api_keys ADD CONSTRAINT user_api_keys_kind_check CHECK (kind IN ('api_key', 'pat'));
ALTER TABLE user_api_keys ADD CONSTRAINT user_api_keys_plan_check CHECK (plan IN ('standard', 'professional'));
ALTER TABLE user_api_keys ADD CONSTRAINT user_api_keys_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE signing_keys ADD CONSTRAINT signing_keys_issuer_check CHECK (issuer IN ('admin-auth', 'runtime-api'));
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE oauth_grants ADD CONSTRAINT oauth_grants_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE oauth_grants ADD CONSTRAINT oauth_grants_kind_check CHECK (kind IN ('client_credentials', 'authorization_code'));
ALTER TABLE skills ADD CONSTRAINT skills_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE skills ADD CONSTRAINT skills_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE agents ADD CONSTRAINT agents_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE agents ADD CONSTRAINT agents_status_check CHECK (status IN ('active', 'inactive'));
ALTER TABLE contexts ADD CONSTRAINT contexts_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE context_messages ADD CONSTRAINT context_messages_role_check CHECK (role IN ('user', 'assistant'));
ALTER TABLE usage_events ADD CONSTRAINT usage_events_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE usage_events ADD CONSTRAINT usage_events_kind_check CHECK (kind IN ('agent_message', 'prompt_run'));
ALTER TABLE prompts ADD CONSTRAINT prompts_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE prompts ADD CONSTRAINT prompts_status_check CHECK (status IN ('draft', 'published', 'archived'));
ALTER TABLE prompt_versions ADD CONSTRAINT prompt_versions_status_check CHECK (status IN ('draft', 'published', 'archived'));
ALTER TABLE prompt_definitions ADD CONSTRAINT prompt_definitions_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE prompt_definitions ADD CONSTRAINT prompt_definitions_kind_check CHECK (kind IN ('input', 'output'));
ALTER TABLE conversations ADD CONSTRAINT conversations_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE conversations ADD CONSTRAINT conversations_status_check CHECK (status IN ('draft', 'published', 'archived'));
ALTER TABLE conversation_messages ADD CONSTRAINT conversation_messages_role_check CHECK (role IN ('system', 'user', 'assistant', 'tool'));
ALTER TABLE governance_decisions ADD CONSTRAINT governance_decisions_actor_kind_check CHECK (actor_kind IN ('user', 'job', 'mcp'));
ALTER TABLE governance_decisions ADD CONSTRAINT governance_decisions_decision_check CHECK (decision IN ('allow', 'deny'));
ALTER TABLE governance_decisions ADD CONSTRAINT governance_decisions_project_check CHECK (project IN ('Core', 'Commerce'));
ALTER TABLE record_counts ADD CONSTRAINT record_counts_project_check CHECK (project IN ('Core', 'Commerce'));

-- Only an admin is a platform admin; a hash is a whole SHA-256.
ALTER TABLE users ADD CONSTRAINT users_platform_admin_check CHECK (role = 'admin' OR NOT platform_admin);
ALTER TABLE users ADD CONSTRAINT users_webauthn_user_id_check CHECK (octet_length(webauthn_user_id) = 32);
ALTER TABLE setup_tokens ADD CONSTRAINT setup_tokens_token_hash_check CHECK (octet_length(token_hash) = 32);
ALTER TABLE user_api_keys ADD CONSTRAINT user_api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32);
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_secret_hash_check CHECK (octet_length(secret_hash) = 32);
ALTER TABLE oauth_refresh_tokens ADD CONSTRAINT oauth_refresh_tokens_token_hash_check CHECK (octet_length(token_hash) = 32);

-- Counts never go below nothing in total; a single slot may (a record is counted in one slot and taken from another).
ALTER TABLE record_counts ADD CONSTRAINT record_counts_slot_check CHECK (slot BETWEEN 0 AND 31);

-- The trail is written once: no role, its owner included, changes or deletes a row by ordinary statements.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER governance_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON governance_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
