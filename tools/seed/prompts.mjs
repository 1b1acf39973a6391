// @ts-check
import { noteChanges, numbered, oneOf, projectOf } from './sql.mjs';

const SCHEMA = `'{"type":"object","properties":{"question":{"type":"string"}}}'::json`;

/** Returns SQL for a definition, in the form in which a version of a prompt stores the definition. @param {string} kind */
const definition = (kind) =>
  `json_build_object('id', pg_temp.id(s.at, s.n, '${kind}'), 'name', '${kind} ' || s.n, 'description', '', 'type', 'structured_data', 'reference', '[]'::json,
                     'schema', d.schema, 'resolved_schema', d.schema)`;

/**
 * Returns SQL that inserts blocks, artifacts, and prompts with versions, definitions and labels.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const prompts = ({ prompts, versions, blocks, artifacts }) => `
  ${numbered(
    'seed_prompts',
    `SELECT r.*, u.id AS user_id, u.name AS actor FROM (
       SELECT n, pg_temp.id(at, n, 'prompt') AS id, ${projectOf('n')} AS project, at FROM generate_series(0, ${prompts - 1}) n,
              LATERAL (SELECT pg_temp.moment(0.06 + 0.44 * n / ${prompts}) AS at) a) r
       ${oneOf('seed_users', 'u', 'r', (size) => `r.n % ${size}`)}`,
  )}
  INSERT INTO prompts (id, project, status, title, description, tags, author, created_by, version, created_at, updated_at)
  SELECT id, project, CASE WHEN n % 6 = 5 THEN 'draft' ELSE 'published' END, 'Prompt ' || n, pg_temp.paragraph(n, 'prompt', 1), ARRAY['team'], actor, user_id,
         ${versions}, at, at + interval '2 days' * ${versions} FROM seed_prompts;
  INSERT INTO prompt_versions (prompt_id, version, instruction, input, output, metadata, status, author, created_by, created_at)
  SELECT s.id, v, json_build_object('static', pg_temp.paragraph(s.n * 16 + v, 'static', 6), 'state', '', 'dynamic', 'Answer {{ question }}.'),
         ${definition('input')}, ${definition('output')},
         jsonb_build_object('title', r.title, 'description', r.description, 'tag', r.tags, 'log_message', 'Version ' || v, 'status', r.status),
         r.status, s.actor, s.user_id, s.at + interval '2 days' * v
    FROM seed_prompts s JOIN prompts r ON r.id = s.id, (SELECT ${SCHEMA} AS schema) d, generate_series(1, ${versions}) v ORDER BY s.n, v;
  INSERT INTO prompt_definitions (id, prompt_id, kind, project, name, description, type, reference, schema)
  SELECT pg_temp.id(at, n, kind), id, kind, project, kind || ' ' || n, '', '"structured_data"', ARRAY[]::uuid[], ${SCHEMA}
    FROM seed_prompts, unnest(ARRAY['input', 'output']) kind;
  INSERT INTO prompt_labels (prompt_id, name, version, author, moved_by, updated_at, protected)
  SELECT id, label, ${versions} - CASE label WHEN 'live' THEN 1 ELSE 0 END, actor, user_id, at + interval '20 days', label = 'live'
    FROM seed_prompts, unnest(ARRAY['live', 'test']) label;
  ${noteChanges(
    `SELECT at + interval '2 days' * v, user_id, actor, CASE v WHEN 1 THEN 'prompt.create' ELSE 'prompt.update' END, id::text, project,
            jsonb_build_object('version', v) FROM seed_prompts, generate_series(1, ${versions}) v`,
  )}
  ${authored('blocks', blocks, "'block_' || translate(k::text, '0123456789', 'abcdefghij'), ")} ${authored('artifacts', artifacts, '')}`;

/** @param {'blocks' | 'artifacts'} table @param {number} count @param {string} prefix the value of that column, if the table has it */
const authored = (table, count, prefix) => `
  INSERT INTO ${table} (id, project, ${prefix && 'prefix, '}content, title, description, tags, log_message, author, created_by, created_at, updated_at)
  SELECT pg_temp.id(a.at, k, '${table}'), u.project, ${prefix}pg_temp.paragraph(k, '${table}', 4), initcap('${table}') || ' ' || k, '', ARRAY['team'], '', u.name, u.id, a.at, a.at
    FROM generate_series(0, ${count - 1}) k JOIN seed_users u ON u.n = k % (SELECT count(*) FROM seed_users),
         LATERAL (SELECT pg_temp.moment(0.1 + 0.8 * k / ${count}) AS at) a;`;
