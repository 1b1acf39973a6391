-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "records" UUID[];

-- CreateIndex
CREATE INDEX "idempotency_keys_records_idx" ON "idempotency_keys" USING GIN ("records");

-- The answer that is stored for an Idempotency-Key goes with each record that it shows. The key stays: a retry must not make the
-- record again.
CREATE FUNCTION forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE idempotency_keys SET status = 404, headers = '{}', body = NULL, source = NULL
   WHERE records && ARRAY(SELECT id FROM gone) AND status IS NOT NULL;
  RETURN NULL;
END $$;
DO $$
DECLARE
  records text;
BEGIN
  FOREACH records IN ARRAY ARRAY['agents', 'artifacts', 'blocks', 'content_items', 'contexts', 'conversations', 'files',
                                 'mcp_servers', 'plugins', 'prompts', 'responses', 'skills'] LOOP
    EXECUTE format('CREATE TRIGGER forget_answers AFTER DELETE ON %I REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
                    EXECUTE FUNCTION forget_answers()', records);
  END LOOP;
END $$;
