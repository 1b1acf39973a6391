-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "prompts" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "webhooks_deleted_at_id_idx" ON "webhooks"("deleted_at", "id");

-- CreateIndex
CREATE INDEX "conversations_deleted_at_id_idx" ON "conversations"("deleted_at", "id");

-- CreateIndex
CREATE INDEX "prompts_deleted_at_id_idx" ON "prompts"("deleted_at", "id");

-- Messages that are deleted before their conversation are no longer in its sums. Those that a cascade deletes went with it. Who deletes
-- messages may not read them, nor change the sums.
CREATE FUNCTION uncount_conversation_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE c record;
BEGIN
    FOR c IN
        WITH removed AS (
            SELECT r.conversation_id AS id, count(*) AS rows, sum(octet_length(r.content) + octet_length(r.reference::text))::bigint AS bytes
              FROM gone r GROUP BY r.conversation_id),
        held AS (
            UPDATE conversations p SET held_rows = p.held_rows - m.rows::int, held_bytes = p.held_bytes - m.bytes
              FROM removed m WHERE p.id = m.id RETURNING p.project, m.rows, m.bytes)
        SELECT h.project, sum(h.rows)::bigint AS rows, sum(h.bytes)::bigint AS bytes FROM held h GROUP BY h.project ORDER BY h.project
    LOOP
        PERFORM change_quota_usage(c.project, 'conversations', -c.rows, -c.bytes);
    END LOOP;
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION uncount_conversation_messages() FROM PUBLIC;
CREATE TRIGGER count_conversation_messages_delete AFTER DELETE ON conversation_messages REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION uncount_conversation_messages();

-- The stored answers that show a record go when it is hidden, not when its row goes.
CREATE FUNCTION forget_answers_of_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE idempotency_keys SET status = 404, headers = '{}', body = NULL, source = NULL
     WHERE records && ARRAY[NEW.id] AND status IS NOT NULL;
    RETURN NULL;
END $$;
DO $do$
DECLARE hidden text;
BEGIN
    FOREACH hidden IN ARRAY ARRAY['conversations', 'prompts'] LOOP
        EXECUTE format('CREATE TRIGGER forget_answers_of_hidden AFTER UPDATE OF deleted_at ON %I FOR EACH ROW
            WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_answers_of_hidden()', hidden);
    END LOOP;
    -- What is deleted stays deleted.
    FOREACH hidden IN ARRAY ARRAY['conversations', 'prompts', 'webhooks'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_deleted_at_is_final BEFORE UPDATE OF deleted_at ON %1$I FOR EACH ROW
            WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
            EXECUTE FUNCTION refuse_to_services(''deleted_at never changes again'')', hidden);
    END LOOP;
END $do$;

-- What a deletion takes with it, for each reference that cascades. Where the rows grow with use, what deletes the parent deletes them
-- before, in steps: one statement may not have the time. The test databases refuse the cascades of those (tools/jest).
DO $do$
DECLARE decided text[];
BEGIN
    FOREACH decided SLICE 1 IN ARRAY ARRAY[
        ['conversation_messages', 'conversation_id', 'growing: a message for each turn'],
        ['responses', 'conversation_id', 'growing: a response for each turn'],
        ['context_messages', 'context_id', 'growing: a message for each turn'],
        ['tasks', 'context_id', 'growing: a task for each message'],
        ['runs', 'context_id', 'growing: a run for each message'],
        ['event_deliveries', 'webhook_id', 'growing: a delivery for each event'],
        ['oauth_refresh_tokens', 'grant_id', 'growing: a token for each refresh'],
        ['oauth_authorizations', 'client_id', 'growing: a row for each request, by anyone'],
        ['prompt_versions', 'prompt_id', 'growing: a version for each change'],
        ['skill_versions', 'skill_id', 'bounded: the limit of versions'],
        ['agent_versions', 'agent_id', 'bounded: the limit of versions'],
        ['prompt_definitions', 'prompt_id', 'bounded: one input and one output'],
        ['prompt_labels', 'prompt_id', 'bounded: 100 labels of a prompt'],
        ['agent_skills', 'agent_id', 'bounded: 100 of an agent'],
        ['agent_skills', 'skill_id', 'bounded: the agents to which people gave it, each of which changes with it'],
        ['agent_plugins', 'agent_id', 'bounded: 100 of an agent'],
        ['agent_plugins', 'plugin_id', 'bounded: the agents to which people gave it, each of which changes with it'],
        ['agent_mcp_servers', 'agent_id', 'bounded: 100 of an agent'],
        ['agent_mcp_servers', 'server_id', 'bounded: the agents to which people gave it, each of which changes with it'],
        ['default_agent', 'agent_id', 'bounded: one'],
        ['mcp_tools', 'server_id', 'bounded: 500 tools of a server'],
        ['mcp_sessions', 'server_id', 'bounded: 50 of a user, for a day'],
        ['mcp_shared_sessions', 'server_id', 'bounded: one of a user'],
        ['mcp_connections', 'server_id', 'bounded: one of a user'],
        ['mcp_connection_requests', 'server_id', 'bounded: those of a day'],
        ['mcp_upstream_clients', 'server_id', 'bounded: one for each authorization server'],
        ['oauth_codes', 'authorization_id', 'bounded: one'],
        ['oauth_codes', 'grant_id', 'bounded: one'],
        ['scim_members', 'group_id', 'bounded: its members are removed first'],
        ['task_chunks', 'task_id', 'bounded: one answer'],
        ['run_steps', 'run_id', 'bounded: the steps of one run'],
        ['run_events', 'run_id', 'bounded: the events of one run'],
        ['event_deliveries', 'event_id', 'bounded: 20 webhooks of a project']
    ] LOOP
        EXECUTE format('COMMENT ON CONSTRAINT %I ON %I IS %L', decided[1] || '_' || decided[2] || '_fkey', decided[1], decided[3]);
    END LOOP;
    COMMENT ON CONSTRAINT prompt_labels_prompt_id_version_fkey ON prompt_labels IS 'bounded: 100 labels of a prompt';
END $do$;
