// @ts-check
import { noteChanges, numbered, oneOf, projectOf, textArray } from './sql.mjs';
import { MODELS, SENTENCES, TASKS, TOPICS } from './texts.mjs';

const TOPIC = (/** @type {string} */ number) => `pg_temp.pick(${number}, 'topic', ${textArray(TOPICS)})`;
const TASK = (/** @type {string} */ number) => `pg_temp.pick(${number}, 'task', ${textArray(TASKS)})`;

/** Returns SQL for the time `at` of record `n` of `count`, which is in the first half of the period. @param {number} count */
const early = (count) => `LATERAL (SELECT pg_temp.moment(0.06 + 0.44 * n / ${count}) AS at) a`;

/**
 * Returns SQL that makes a temporary table of records with their project and the user who made them: `<name> (n, id, project, at, user_id, actor,
 * place)`.
 *
 * @param {string} name @param {number} count @param {string} what
 */
const records = (name, count, what) =>
  numbered(
    name,
    `SELECT r.*, u.id AS user_id, u.name AS actor FROM (
       SELECT n, pg_temp.id(at, n, '${what}') AS id, ${projectOf('n')} AS project, at FROM generate_series(0, ${count - 1}) n, ${early(count)}) r
       ${oneOf('seed_users', 'u', 'r', (size) => `pg_temp.below(r.n, '${what} maker', ${size})`)}`,
  );

/** @param {string} table @param {string} action @param {string} id @param {string} name */
const created = (table, action, id, name) =>
  noteChanges(
    `SELECT at, user_id, actor, '${action}', ${id}, project, jsonb_build_object('name', ${name}) FROM ${table}`,
  );

/** Returns SQL that makes a table of numbered sentences, and a function that joins some of them to a text of a person or a model. */
export const sentences = () => `
  CREATE TEMP TABLE seed_sentences AS
  SELECT (place - 1)::int AS n, text FROM unnest(${textArray(SENTENCES)}) WITH ORDINALITY s (text, place);
  CREATE UNIQUE INDEX ON seed_sentences (n);
  ANALYZE seed_sentences;
  CREATE FUNCTION pg_temp.paragraph(seed bigint, name text, count int) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT string_agg((SELECT s.text FROM pg_temp.seed_sentences s WHERE s.n = pg_temp.below(seed * 64 + k, name, ${SENTENCES.length})), ' ' ORDER BY k)
      FROM generate_series(1, count) k $$;`;

/**
 * Returns SQL that inserts the agents and the records with which they work: models with their prices, skills, MCP servers with tools, plugins,
 * content, and files with passages.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const catalog = (figures) => `
  ${models(figures)} ${skills(figures)} ${servers(figures)} ${plugins(figures)} ${content(figures)} ${files(figures)} ${agents(figures)}`;

/** @param {import('./figures.mjs').Figures} figures */
const models = ({ models }) => `
  CREATE TEMP TABLE seed_admins AS SELECT DISTINCT ON (project) project, id, name FROM seed_users ORDER BY project, n;
  CREATE TEMP TABLE seed_models AS
  SELECT (place - 1)::int AS n, model FROM unnest(${textArray(MODELS.slice(0, models))}) WITH ORDINALITY m (model, place);
  INSERT INTO models (id, project, name, preset, base_url, upstream_model, context_window, max_output, status, created_by, created_at, updated_at)
  SELECT pg_temp.id(at, m.n, 'model ' || project), project, m.model, 'compatible', 'https://models.seed.example/v1', m.model, 128000, 8000, 'active', a.id, at, at
    FROM seed_models m, seed_admins a, LATERAL (SELECT pg_temp.moment(0.05) AS at) t;
  INSERT INTO model_prices (id, project, model, valid_from, input, output, created_by, created_at)
  SELECT pg_temp.id(at, m.n, 'price ' || project), project, m.model, at, 0.5 * (m.n + 1), 2 * (m.n + 1), a.id, at
    FROM seed_models m, seed_admins a, LATERAL (SELECT pg_temp.moment(0.05) AS at) t;
  INSERT INTO tool_policies (project, unmarked_tools, updated_at) SELECT project, 'ask_when_tainted', pg_temp.moment(0.05) FROM seed_admins ON CONFLICT DO NOTHING;
  INSERT INTO guard_policies (id, project, rules, updated_at)
  SELECT pg_temp.id(pg_temp.moment(0.05), 0, 'guards ' || project), project, '{}', pg_temp.moment(0.05) FROM seed_admins s
   WHERE NOT EXISTS (SELECT FROM guard_policies g WHERE g.project = s.project AND g.agent_id IS NULL);`;

/** @param {import('./figures.mjs').Figures} figures */
const skills = ({ skills }) => `
  ${records('seed_skills', skills, 'skill')}
  INSERT INTO skills (id, project, name, description, instructions, status, created_by, version, created_at, updated_at)
  SELECT id, project, ${TASK('n')} || ' ' || ${TOPIC('n')} || ' ' || n, pg_temp.paragraph(n, 'skill', 1), pg_temp.paragraph(n, 'skill', 5),
         CASE WHEN n % 8 = 7 THEN 'inactive' ELSE 'active' END, user_id, 3, at, at + interval '9 days' FROM seed_skills;
  INSERT INTO skill_versions (skill_id, version, state, changed, created_by, actor_kind, actor_id, created_at)
  SELECT s.id, v, json_build_object('name', r.name, 'description', r.description, 'instructions', pg_temp.paragraph(s.n, 'skill', 2 + v),
                                    'parameters', '{}'::json, 'status', r.status),
         CASE WHEN v = 1 THEN ARRAY['name', 'description', 'instructions', 'parameters', 'status'] ELSE ARRAY['instructions'] END,
         s.user_id, 'user', s.actor, s.at + interval '3 days' * v
    FROM seed_skills s JOIN skills r ON r.id = s.id, generate_series(1, 3) v ORDER BY s.n, v;
  ${created('seed_skills', 'skill.create', "pg_temp.public_id('sk', id)", "'Skill ' || n")}
  ${noteChanges(
    `SELECT at + interval '3 days' * v, user_id, actor, 'skill.update', pg_temp.public_id('sk', id), project, jsonb_build_object('version', v)
       FROM seed_skills, generate_series(2, 3) v`,
  )}`;

/** @param {import('./figures.mjs').Figures} figures */
const servers = ({ servers, toolsOfServer }) => `
  ${records('seed_servers', servers, 'server')}
  INSERT INTO mcp_servers (id, project, name, slug, url, description, tools_count, last_seen_at, pinned_at, probe_due_at, created_by, created_at, updated_at, generations)
  SELECT id, project, 'Server ' || n, 'server-' || n, 'https://mcp-' || n || '.seed.example/mcp', pg_temp.paragraph(n, 'server', 1), ${toolsOfServer},
         pg_temp.moment(1), at, pg_temp.moment(1) + interval '10 years', user_id, at, at, ARRAY['v2025'] FROM seed_servers;
  ${numbered(
    'seed_tools',
    `SELECT s.n * ${toolsOfServer} + k AS n, s.id AS server_id, pg_temp.public_id('ms', s.id) AS server, s.project, s.at,
            pg_temp.pick(k, 'tool', ARRAY['find', 'read', 'list', 'create', 'change', 'send']) || '_' || k AS name,
            pg_temp.hash(s.n * ${toolsOfServer} + k, 'definition') AS hash
       FROM seed_servers s, generate_series(0, ${toolsOfServer - 1}) k`,
  )}
  INSERT INTO mcp_tools (server_id, name, description, input_schema, hash, approved_description, approved_input_schema, approved_members, approved_hash, created_at, updated_at)
  SELECT server_id, name, d, s, hash, d, s, '{}', hash, at, at
    FROM seed_tools, LATERAL (SELECT pg_temp.paragraph(n, 'tool', 1) AS d, '{"type":"object","properties":{"query":{"type":"string"}}}'::json AS s) t;
  ${created('seed_servers', 'mcp_server.create', "pg_temp.public_id('ms', id)", "'Server ' || n")}
  INSERT INTO mcp_sessions (id_hash, server_id, user_id, url, upstream_id, created_at, used_at)
  SELECT pg_temp.hash(s.n * 4 + k, 'mcp session'), s.id, u.id, 'https://mcp-' || s.n || '.seed.example/mcp', 'session-' || s.n * 4 + k, pg_temp.moment(0.995), pg_temp.moment(1)
    FROM seed_servers s CROSS JOIN generate_series(0, 3) k JOIN seed_users u ON u.project = s.project AND u.place = k;`;

/** @param {import('./figures.mjs').Figures} figures */
const plugins = ({ plugins }) => `
  ${records('seed_plugins', plugins, 'plugin')}
  INSERT INTO plugins (id, project, name, description, type, config, reachable, last_checked_at, created_by, created_at, updated_at)
  SELECT id, project, 'Plugin ' || n, pg_temp.paragraph(n, 'plugin', 1), 'integration', '{"region":"north"}', NULL, NULL, user_id, at, at FROM seed_plugins;
  ${created('seed_plugins', 'plugin.create', "pg_temp.public_id('pl', id)", "'Plugin ' || n")}`;

/** @param {import('./figures.mjs').Figures} figures */
const content = ({ content }) => `
  ${records('seed_content', content, 'content')}
  INSERT INTO content_items (id, project, title, body, tags, slug, created_by, created_at, updated_at)
  SELECT id, project, initcap(${TOPIC('n')}) || ' ' || n, pg_temp.paragraph(n, 'content', 5 + pg_temp.skewed(n, 'length', 40)), ARRAY[${TOPIC('n')}],
         'article-' || n, user_id, at, at FROM seed_content;
  ${created('seed_content', 'content.create', "pg_temp.public_id('ct', id)", "'Article ' || n")}`;

/** @param {import('./figures.mjs').Figures} figures */
const files = ({ files, knowledge, passagesOfFile, sources }) => `
  ${records('seed_files', files, 'file')}
  INSERT INTO files (id, project, path, size, content_type, sha256, created_by, created_at)
  SELECT id, project, ${TOPIC('n')} || '/report-' || n || '.pdf', 20000 + pg_temp.skewed(n, 'size', 2000000), 'application/pdf', pg_temp.hash(n, 'file'), user_id, at
    FROM seed_files;
  ${created('seed_files', 'file.create', "pg_temp.public_id('fl', id)", "'report-' || n || '.pdf'")}
  INSERT INTO file_knowledge (file_id, project, tags, state, passages, next_at, created_by, created_at, updated_at)
  SELECT id, project, ARRAY[${TOPIC('n')}], 'ready', ${passagesOfFile}, at, user_id, at, at FROM seed_files WHERE n < ${knowledge};
  INSERT INTO passages (id, file_id, project, attempt, place, page, title, body, tags, status, created_at)
  SELECT pg_temp.id(f.at, f.n * ${passagesOfFile} + k, 'passage'), f.id, f.project, 1, k, 1 + k / 3, 'report-' || f.n || '.pdf',
         pg_temp.paragraph(f.n * ${passagesOfFile} + k, 'passage', 12), ARRAY[${TOPIC('f.n')}], 'active', f.at
    FROM seed_files f, generate_series(1, ${passagesOfFile}) k WHERE f.n < ${knowledge};
  ${records('seed_sources', sources, 'source')}
  INSERT INTO knowledge_sources (id, project, name, url, tags, state, failure, attempt, next_at, created_by, created_at, updated_at)
  SELECT id, project, initcap(${TOPIC('n')}) || ' page ' || n, 'https://pages.seed.example/' || n, ARRAY[${TOPIC('n')}], 'failed', 'unresolvable',
         nextval('knowledge_attempts'), NULL, user_id, at, at FROM seed_sources;
  ${created('seed_sources', 'knowledge_source.create', "pg_temp.public_id('kns', id)", "'Page ' || n")}`;

/** @param {import('./figures.mjs').Figures} figures */
const agents = ({ agents, models }) => `
  ${records('seed_agents', agents, 'agent')}
  ALTER TABLE seed_agents ADD slug text, ADD model text;
  UPDATE seed_agents s SET slug = 'agent-' || s.n, model = m.model FROM seed_models m WHERE m.n = pg_temp.skewed(s.n, 'agent model', ${models});
  INSERT INTO agents (id, project, name, slug, description, instructions, model, created_by, version, created_at, updated_at, content_tags)
  SELECT id, project, 'Agent ' || n, slug, pg_temp.paragraph(n, 'agent', 1), pg_temp.paragraph(n, 'agent', 4), model, user_id, 3, at, at + interval '9 days',
         ARRAY[${TOPIC('n')}] FROM seed_agents;
  INSERT INTO agent_versions (agent_id, version, state, changed, created_by, actor_kind, actor_id, created_at)
  SELECT s.id, v, json_build_object('name', r.name, 'description', r.description, 'content_tags', r.content_tags, 'mcp_tools', r.mcp_tools, 'ask_tools', r.ask_tools,
                                    'model', r.model, 'instructions', pg_temp.paragraph(s.n, 'agent', 1 + v), 'on_unknown', r.on_unknown,
                                    'published', r.published, 'status', r.status),
         CASE WHEN v = 1 THEN ARRAY['name', 'description', 'content_tags', 'mcp_tools', 'ask_tools', 'model', 'instructions', 'on_unknown', 'published', 'status']
              ELSE ARRAY['instructions'] END, s.user_id, 'user', s.actor, s.at + interval '3 days' * v
    FROM seed_agents s JOIN agents r ON r.id = s.id, generate_series(1, 3) v ORDER BY s.n, v;
  ${created('seed_agents', 'agent.create', "pg_temp.public_id('ag', id)", "'Agent ' || n")}
  ${noteChanges(
    `SELECT at + interval '3 days' * v, user_id, actor, 'agent.update', pg_temp.public_id('ag', id), project, jsonb_build_object('version', v)
       FROM seed_agents, generate_series(2, 3) v`,
  )}
  INSERT INTO default_agent (agent_id) SELECT id FROM seed_agents WHERE n = 0 ON CONFLICT DO NOTHING;
  ${links('agent_skills', 'skill_id', 'seed_skills', 3)} ${links('agent_plugins', 'plugin_id', 'seed_plugins', 1)}
  ${links('agent_mcp_servers', 'server_id', 'seed_servers', 2)} ${links('agent_callees', 'callee_id', 'seed_agents', 1)}`;

/** Gives each agent some records of its project. @param {string} table @param {string} column @param {string} from @param {number} count */
const links = (table, column, from, count) => `
  INSERT INTO ${table} (agent_id, ${column}, position, created_at)
  SELECT DISTINCT ON (a.id, r.id) a.id, r.id, k, a.at
    FROM seed_agents a CROSS JOIN generate_series(1, ${count}) k
    ${oneOf(from, 'r', 'a', (size) => `pg_temp.below(a.n * 8 + k, '${table}', ${size})`)}
   WHERE r.id <> a.id
   ORDER BY a.id, r.id, k;`;
