-- CreateTable
CREATE TABLE "skill_versions" (
    "skill_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "state" JSON NOT NULL,
    "changed" TEXT[],
    "created_by" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "skill_versions_pkey" PRIMARY KEY ("skill_id","version")
);

-- CreateTable
CREATE TABLE "agent_versions" (
    "agent_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "state" JSON NOT NULL,
    "changed" TEXT[],
    "created_by" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("agent_id","version")
);

-- AddForeignKey
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_skill_id_fkey" FOREIGN KEY ("skill_id") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Closed sets of values
ALTER TABLE skill_versions ADD CONSTRAINT skill_versions_actor_kind_check CHECK (actor_kind IN ('user', 'job', 'mcp'));
ALTER TABLE agent_versions ADD CONSTRAINT agent_versions_actor_kind_check CHECK (actor_kind IN ('user', 'job', 'mcp'));

-- What exists already starts its history with the state it has, under the user who created it.
CREATE FUNCTION pg_temp.skill_id(id uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  alphabet CONSTANT text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  rest numeric := 0;
  shown text := '';
BEGIN
  FOR i IN 0..15 LOOP
    rest := rest * 256 + get_byte(uuid_send(id), i);
  END LOOP;
  FOR i IN 1..22 LOOP
    shown := substr(alphabet, (rest % 62)::int + 1, 1) || shown;
    rest := div(rest, 62);
  END LOOP;
  RETURN 'sk_' || shown;
END $$;

INSERT INTO skill_versions (skill_id, version, state, changed, created_by, actor_kind, actor_id, created_at)
SELECT s.id, s.version,
       json_build_object('name', s.name, 'description', s.description, 'instructions', s.instructions,
                         'parameters', s.parameters, 'status', s.status),
       ARRAY['name', 'description', 'instructions', 'parameters', 'status'],
       s.created_by, 'user', u.name, s.updated_at
  FROM skills s JOIN users u ON u.id = s.created_by;

INSERT INTO agent_versions (agent_id, version, state, changed, created_by, actor_kind, actor_id, created_at)
SELECT a.id, a.version,
       json_build_object('name', a.name, 'description', a.description,
                         'skill_ids', (SELECT format('[%s]', string_agg(to_json(pg_temp.skill_id(l.skill_id))::text, ',' ORDER BY l.position, l.skill_id))::json
                                         FROM agent_skills l WHERE l.agent_id = a.id),
                         'model', a.model, 'instructions', a.instructions, 'status', a.status, 'published', a.published),
       ARRAY['name', 'description', 'skill_ids', 'model', 'instructions', 'status', 'published'],
       a.created_by, 'user', u.name, a.updated_at
  FROM agents a JOIN users u ON u.id = a.created_by;

DROP FUNCTION pg_temp.skill_id(uuid);
