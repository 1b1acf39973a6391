// @ts-check
import { oneOf } from './sql.mjs';
import { SENTENCES } from './texts.mjs';

/** Minimum number of runs that one part inserts. The memory that the statements of a part need is proportional to its runs. */
const PART = 10_000;
/** Time for which an answer is kept under its idempotency key. */
const KEYS_KEPT = "interval '24 hours'";

/**
 * Returns the parts in which the runs are inserted. Each has the number of its first run, and the number after its last run.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export function partsOf({ runs, round }) {
  const size = Math.ceil(PART / round.runs) * round.runs;
  const parts = [];
  for (let first = 0; first < runs; first += size) parts.push({ first, end: Math.min(first + size, runs) });
  return parts;
}

/**
 * Returns SQL that makes the temporary table `seed_part` with the runs `n` of a part, in order of time. The other statements of the part derive their
 * rows from this table.
 *
 * @param {import('./figures.mjs').Figures} figures
 * @param {{ first: number, end: number }} part
 */
const chooseRuns = ({ runs, round, agents, prompts, triggers }, { first, end }) => `
  DROP TABLE IF EXISTS seed_part;
  CREATE TEMP TABLE seed_part AS
  WITH numbered AS (
    SELECT n, n % ${round.runs} < ${round.agentRuns} AS is_agent, n / ${round.runs} AS turn, (n % ${round.runs})::int AS i FROM generate_series(${first}::bigint, ${end - 1}) n),
  placed AS (
    SELECT n, is_agent,
           CASE WHEN is_agent THEN turn * ${round.threads} + i % ${round.threads} ELSE turn * ${round.conversations} + (i - ${round.agentRuns}) % ${round.conversations} END AS thread,
           CASE WHEN is_agent THEN i / ${round.threads} ELSE (i - ${round.agentRuns}) / ${round.conversations} END AS place,
           turn * ${round.runs} + CASE WHEN is_agent THEN i % ${round.threads} ELSE ${round.agentRuns} + (i - ${round.agentRuns}) % ${round.conversations} END AS thread_n
      FROM numbered),
  -- Materialized, because each use of a column would otherwise calculate it again.
  timed AS MATERIALIZED (
    SELECT p.*, pg_temp.moment((n + pg_temp.fraction(n, 'moment')) / ${runs}) AS at,
           pg_temp.moment((thread_n + pg_temp.fraction(thread_n, 'moment')) / ${runs}) AS thread_at,
           pg_temp.fraction(n, 'end') AS ending, pg_temp.fraction(n, 'pairs') AS work
      FROM placed p),
  subjects AS (
    SELECT t.*, g.id AS trigger_id, g.public_id AS trigger, g.n AS trigger_n, s.id AS subject_id, s.project, s.name AS subject_name, s.version, s.model,
           coalesce(g.user_n, u.n) AS user_n, coalesce(g.user_id, u.id) AS user_id, coalesce(g.actor, u.name) AS actor
      FROM timed t
      LEFT JOIN seed_triggers g ON t.is_agent AND t.thread % 10 = 0 AND g.n = (t.thread / 10) % ${triggers}
      JOIN seed_subjects s ON s.is_agent = t.is_agent AND s.n = CASE WHEN g.n IS NOT NULL THEN g.agent_n
                                                                     WHEN t.is_agent THEN pg_temp.skewed(t.thread, 'agent', ${agents})
                                                                     ELSE pg_temp.skewed(t.thread, 'prompt', ${prompts}) END
      JOIN seed_users u ON u.project = s.project AND u.place = pg_temp.skewed(t.thread, 'user', s.users)),
  ended AS MATERIALIZED (
    SELECT s.*, pg_temp.id(at, n, 'run') AS id, CASE WHEN is_agent AND place = 3 AND n > ${runs} * 0.995 AND thread % 8 = 1 THEN 'waiting'
                     WHEN ending < 0.965 THEN 'completed' WHEN ending < 0.99 THEN 'failed' ELSE 'canceled' END AS state,
           CASE WHEN NOT is_agent OR work < 0.15 THEN 0 WHEN work < 0.35 THEN 1 WHEN work < 0.6 THEN 2 WHEN work < 0.85 THEN 3 ELSE 6 END AS worked,
           CASE WHEN NOT is_agent THEN CASE thread % 3 WHEN 0 THEN 'responses' ELSE 'prompt' END
                WHEN trigger_id IS NOT NULL AND place = 0 THEN 'trigger'
                ELSE (ARRAY['messages', 'console', 'a2a', 'mcp', 'messages', 'console', 'messages', 'console'])[1 + thread % 8] END AS channel
      FROM subjects s)
  SELECT e.*, pg_temp.public_id('run', e.id) AS run,
         pg_temp.id(thread_at, thread, CASE WHEN is_agent THEN 'context' ELSE 'conversation' END) AS thread_id,
         pg_temp.id(at, n, 'message') AS message_id, CASE state WHEN 'completed' THEN pg_temp.id(at, n, 'answer') END AS answer_id,
         pairs, at + make_interval(secs => 1 + pairs * 2) AS ended_at,
         -- Messages of a conversation: the user's, the answer, and the calls of a run with one call.
         1 + (state = 'completed')::int + CASE WHEN pairs = 1 AND state = 'completed' THEN 2 ELSE 0 END AS messages, NULL::int AS messages_before,
         k.key_id, q.question, w.answer
    FROM ended e CROSS JOIN LATERAL (SELECT CASE state WHEN 'waiting' THEN 0 ELSE worked END AS pairs) p
    LEFT JOIN (SELECT user_n, id AS key_id FROM seed_keys WHERE k = 0) k ON k.user_n = e.user_n AND e.channel NOT IN ('console', 'trigger')
    JOIN (SELECT n AS question_n, text AS question FROM seed_sentences) q ON question_n = pg_temp.below(e.n, 'question', ${SENTENCES.length})
    JOIN (SELECT n AS answer_n, text AS answer FROM seed_sentences) w ON answer_n = pg_temp.below(e.n, 'answer', ${SENTENCES.length});
  UPDATE seed_part p SET messages_before = b.before
    FROM (SELECT n, coalesce(sum(messages) OVER (PARTITION BY is_agent, thread ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::int AS before FROM seed_part) b
   WHERE b.n = p.n;
  ANALYZE seed_part;
  DROP TABLE IF EXISTS seed_calls;
  CREATE TEMP TABLE seed_calls AS
  SELECT p.n, p.id AS run_id, j, t.name AS tool, t.server, t.hash, '{"query":"' || p.n || '"}' AS arguments, 'call_' || j AS call_id
    FROM seed_part p CROSS JOIN LATERAL generate_series(1, greatest(pairs, (state = 'waiting')::int)) j
    ${oneOf('seed_tools', 't', 'p', (size) => `pg_temp.skewed(p.n * 8 + j, 'tool', ${size})`)};
  ANALYZE seed_calls;`;

/** SQL for a message of an A2A run as it is stored. */
const A2A_MESSAGE = `json_build_object('message', json_build_object('messageId', message_id, 'role', 'ROLE_USER', 'parts', json_build_array(json_build_object('text', question))))`;
const COST = '(900 * (pairs + 1) * 0.5 + 60 * (pairs + 1) * 2) / 1e6';

const insertRuns = `
  INSERT INTO contexts (id, project, agent_id, user_id, title, created_at, updated_at)
  SELECT f.thread_id, f.project, f.subject_id, f.user_id, left(f.question, 80), f.thread_at, l.ended_at
    FROM seed_part f JOIN seed_part l ON l.is_agent AND l.place = 3 AND l.thread = f.thread WHERE f.is_agent AND f.place = 0 ORDER BY f.thread;
  INSERT INTO conversations (id, project, user_id, author, title, description, tags, log_message, created_at, updated_at)
  SELECT thread_id, project, user_id, actor, left(question, 80), '', ARRAY['team'], '', thread_at, ended_at FROM seed_part WHERE NOT is_agent AND place = 0 ORDER BY thread;
  INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, credential_kind, credential_id, caller, context_id, conversation_id,
                    message_id, input, answer_id, output, state, waiting_for, state_at, error_code, error_status, error_text, model, metadata, attempt, event_count, step_count,
                    tool_call_count, prompt_tokens, completion_tokens, cost_usd, queued_at, started_at, ended_at, feedback)
  SELECT id, project, user_id, CASE WHEN is_agent THEN 'agent' ELSE 'prompt' END, subject_id, subject_name, version, channel,
         CASE WHEN key_id IS NOT NULL THEN 'api_key' WHEN channel = 'console' THEN 'area_token' END, CASE WHEN key_id IS NOT NULL THEN pg_temp.public_id('key', key_id) END,
         json_build_object('project', project, 'actor', json_build_object('userId', user_id, 'kind', 'user', 'label', actor), 'scopes', NULL, 'mcpTools', NULL),
         CASE WHEN is_agent THEN thread_id END, CASE WHEN NOT is_agent THEN thread_id END, CASE WHEN is_agent THEN message_id END,
         CASE WHEN channel = 'a2a' THEN ${A2A_MESSAGE} WHEN NOT is_agent THEN json_build_object('message', question) END,
         answer_id, CASE WHEN state = 'completed' AND NOT is_agent THEN answer END, state, CASE state WHEN 'waiting' THEN 'approval' END,
         ended_at, CASE state WHEN 'failed' THEN 'unavailable' END, CASE state WHEN 'failed' THEN 503 END, CASE state WHEN 'failed' THEN 'The model did not answer.' END,
         model, CASE WHEN channel = 'trigger' THEN jsonb_build_object('trigger', trigger) ELSE '{}' END, 1, 3 + 2 * pairs, 1 + 2 * pairs, pairs, 900 * (pairs + 1), 60 * (pairs + 1), ${COST},
         at, at, CASE WHEN state <> 'waiting' THEN ended_at END,
         CASE WHEN is_agent AND state = 'completed' THEN CASE WHEN n % 50 = 7 THEN 'up' WHEN n % 100 = 8 THEN 'down' END END
    FROM seed_part ORDER BY n;
  INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, asked_by, model, answer, calls, call_id, tool, server, definition_hash, arguments, arguments_hash,
                         idempotency_key, result, untrusted, prompt_tokens, completion_tokens, cost_usd, started_at, first_token_at, ended_at, error_code, error_status, error_text)
  SELECT p.id, s.seq, 1, 'model', CASE WHEN s.is_last AND p.state = 'failed' THEN 'failed' ELSE 'succeeded' END, NULL, p.model,
         CASE WHEN s.is_last AND p.state = 'completed' THEN p.answer WHEN NOT s.is_last THEN 'One moment, please.' END,
         CASE WHEN c.n IS NOT NULL THEN json_build_array(json_build_object('id', c.call_id, 'name', c.tool, 'arguments', c.arguments)) END,
         NULL, NULL, NULL, NULL::bytea, NULL, NULL::bytea, NULL, NULL, false, 900, 60, (900 * 0.5 + 60 * 2) / 1e6, p.at + interval '1 second' * (s.seq - 1),
         p.at + interval '1 second' * (s.seq - 1) + interval '400 ms', p.at + interval '1 second' * s.seq,
         CASE WHEN s.is_last AND p.state = 'failed' THEN 'unavailable' END, CASE WHEN s.is_last AND p.state = 'failed' THEN 503 END,
         CASE WHEN s.is_last AND p.state = 'failed' THEN 'The model did not answer.' END
    FROM seed_part p CROSS JOIN LATERAL (SELECT 2 * j + 1 AS seq, j + 1 AS call, j = p.pairs AS is_last FROM generate_series(0, p.pairs) j) s
    LEFT JOIN seed_calls c ON c.n = p.n AND c.j = s.call
  UNION ALL
  SELECT p.id, 2 * c.j, 1, 'tool', CASE WHEN (p.n + c.j) % 50 = 0 THEN 'failed' ELSE 'succeeded' END, 2 * c.j - 1, NULL, NULL, NULL, c.call_id, c.tool, c.server, c.hash, c.arguments,
         sha256(c.arguments::bytea), md5(p.n || c.call_id), '{"found":' || (p.n + c.j) % 20 || ',"status":"open"}', true, NULL, NULL, NULL,
         p.at + interval '1 second' * (2 * c.j - 1), NULL, p.at + interval '1 second' * 2 * c.j, NULL, NULL, NULL
    FROM seed_part p JOIN seed_calls c ON c.n = p.n WHERE p.pairs > 0
   ORDER BY 1, 2;
  INSERT INTO run_events (run_id, seq, type, data, at)
  SELECT id, 1, 'run.running', '{}'::json, at FROM seed_part
  UNION ALL
  SELECT p.id, 2 * c.j, 'tool.call', json_build_object('step', 2 * c.j - 1, 'id', c.call_id, 'tool', c.tool, 'arguments', c.arguments), p.at + interval '1 second' * (2 * c.j - 1)
    FROM seed_part p JOIN seed_calls c ON c.n = p.n WHERE p.pairs > 0
  UNION ALL
  SELECT p.id, 2 * c.j + 1, 'tool.result', json_build_object('step', 2 * c.j, 'id', c.call_id, 'tool', c.tool, 'ok', true), p.at + interval '1 second' * 2 * c.j
    FROM seed_part p JOIN seed_calls c ON c.n = p.n WHERE p.pairs > 0
  UNION ALL
  SELECT id, 2 * pairs + 2, 'message.delta', json_build_object('step', 2 * pairs + 1, 'delta', answer), ended_at FROM seed_part
  UNION ALL
  SELECT id, 2 * pairs + 3, 'run.' || state, '{}'::json, ended_at FROM seed_part
   ORDER BY 1, 2;
  INSERT INTO usage_events (id, at, project, user_id, kind, subject_id, subject_version, model, prompt_tokens, completion_tokens, cost_usd, key_id)
  SELECT pg_temp.id(p.at + interval '1 second' * 2 * j, p.n * 8 + j, 'usage'), p.at + interval '1 second' * 2 * j, project, user_id,
         CASE WHEN NOT is_agent THEN 'prompt_run' WHEN j = pairs AND state = 'completed' THEN 'agent_message' ELSE 'agent_step' END,
         subject_id, version, model, 900, 60, CASE WHEN n % 100 <> 0 THEN (900 * 0.5 + 60 * 2) / 1e6 END, key_id
    FROM seed_part p CROSS JOIN LATERAL generate_series(0, pairs) j WHERE state <> 'failed' OR j < pairs
   ORDER BY p.n, j;`;

/** A PNG of one pixel in hexadecimal, and the fields with which its message describes it. */
const PIXEL =
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63d0a8380100023401691846250f0000000049454e44ae426082';
const PIXEL_RECORD = `'name', 'pixel.png', 'content_type', 'image/png', 'size', 69, 'width', 1, 'height', 1, 'sha256',
                      'fcb09310fd611849858d7876cb81b1df51857563331922b6a3b83aa9e4831b90'`;
/** SQL condition: the first message of each conversation with an agent has an image. */
const HAS_IMAGE = 'is_agent AND place = 0';

/** SQL that inserts the messages of the runs' conversations. */
const insertMessages = `
  INSERT INTO context_messages (id, context_id, seq, role, content, model, created_at, call_id, tool_calls, failed, source, untrusted, images, image_bytes)
  SELECT message_id, thread_id, messages_before + 1, 'user', question, NULL, at, NULL, NULL::json, NULL::boolean, NULL, NULL::boolean,
         CASE WHEN ${HAS_IMAGE} THEN json_build_array(json_build_object('id', pg_temp.id(at, n, 'image'), ${PIXEL_RECORD})) END, CASE WHEN ${HAS_IMAGE} THEN 69 END
    FROM seed_part WHERE is_agent
  UNION ALL
  SELECT pg_temp.id(p.at, p.n, 'call'), thread_id, messages_before + 2, 'assistant', 'One moment, please.', model, at + interval '1 second', NULL,
         json_build_array(json_build_object('id', c.call_id, 'name', c.tool, 'arguments', c.arguments)), NULL, NULL, NULL, NULL, NULL
    FROM seed_part p JOIN seed_calls c ON c.n = p.n AND p.messages = 4
  UNION ALL
  SELECT pg_temp.id(p.at, p.n, 'result'), thread_id, messages_before + 3, 'tool', '{"found":1,"status":"open"}', NULL, at + interval '2 seconds', c.call_id, NULL, false, c.server, true, NULL, NULL
    FROM seed_part p JOIN seed_calls c ON c.n = p.n AND p.messages = 4
  UNION ALL
  SELECT answer_id, thread_id, messages_before + messages, 'assistant', answer, model, ended_at, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM seed_part WHERE is_agent AND state = 'completed'
   ORDER BY 2, 3;
  INSERT INTO context_images (id, message_id, bytes)
  SELECT pg_temp.id(at, n, 'image'), message_id, decode('${PIXEL}', 'hex') FROM seed_part WHERE ${HAS_IMAGE} ORDER BY n;
  INSERT INTO conversation_messages (id, conversation_id, seq, role, content, model, author, created_at)
  SELECT message_id, thread_id, messages_before + 1, 'user', question, model, actor, at FROM seed_part WHERE NOT is_agent
  UNION ALL
  SELECT answer_id, thread_id, messages_before + 2, 'assistant', answer, model, actor, ended_at FROM seed_part WHERE NOT is_agent AND state = 'completed'
   ORDER BY 2, 3;
  INSERT INTO responses (id, project, conversation_id, seq, body, created_at)
  SELECT id, project, thread_id, messages_before + 2, json_build_object(
           'id', pg_temp.public_id('resp', id), 'object', 'response', 'created_at', floor(extract(epoch FROM at))::bigint, 'completed_at', floor(extract(epoch FROM ended_at))::bigint,
           'status', 'completed', 'background', false, 'error', NULL, 'incomplete_details', NULL, 'instructions', NULL, 'max_output_tokens', NULL, 'metadata', '{}'::json,
           'model', model, 'output', json_build_array(json_build_object('id', pg_temp.public_id('msg', answer_id), 'type', 'message', 'role', 'assistant', 'status', 'completed',
             'content', json_build_array(json_build_object('type', 'output_text', 'text', answer, 'annotations', '[]'::json)))),
           'parallel_tool_calls', true, 'previous_response_id', NULL, 'conversation', NULL, 'prompt', json_build_object('id', subject_id, 'version', NULL, 'variables', NULL),
           'prompt_cache_key', NULL, 'safety_identifier', NULL, 'store', true) ::jsonb || jsonb_build_object(
           'temperature', NULL, 'text', '{"format":{"type":"text"}}'::jsonb, 'tool_choice', 'auto', 'tools', '[]'::jsonb, 'top_p', NULL, 'truncation', 'auto',
           'usage', jsonb_build_object('input_tokens', 900, 'output_tokens', 60, 'total_tokens', 960), 'user', NULL, 'warnings', '[]'::jsonb), at
    FROM seed_part WHERE channel = 'responses' AND state = 'completed' ORDER BY n;`;

/**
 * Returns SQL that inserts the other records of runs: approvals, stored answers, firings, events and audit rows.
 *
 * @param {import('./figures.mjs').Figures} figures
 * @param {{ first: number, end: number }} part
 */
const insertTraces = ({ runs, triggers }, { first, end }) => `
  INSERT INTO approvals (id, project, run_id, asked_by, call_id, user_id, agent, agent_version, owner, owner_name, tool, parameters, arguments, tool_hash, hash, tainted_by, state,
                         decided_by, decided_at, used_at, expires_at, created_at)
  SELECT pg_temp.id(p.at, p.n, 'approval'), p.project, p.id, 1, c.call_id, p.user_id, p.subject_name, p.version, c.server, 'Server', c.tool, '{"type":"object"}', c.arguments, c.hash,
         pg_temp.hash(p.n, 'approval'), ARRAY[]::text[], CASE p.state WHEN 'waiting' THEN 'pending' ELSE 'used' END,
         CASE WHEN p.state <> 'waiting' THEN p.user_id END, CASE WHEN p.state <> 'waiting' THEN p.at + interval '1 second' END,
         CASE WHEN p.state <> 'waiting' THEN p.at + interval '1 second' END, pg_temp.moment(1) + interval '7 days', p.at
    FROM seed_part p JOIN seed_calls c ON c.n = p.n AND c.j = 1 WHERE p.state = 'waiting' OR p.n % 40 = 3;
  INSERT INTO idempotency_keys (id, fingerprint, status, headers, body, records, lease_until, expires_at, created_at)
  SELECT pg_temp.hash(n, 'idempotency'), pg_temp.hash(n, 'fingerprint'), 200, '{}', json_build_object('content', answer), ARRAY[thread_id], ended_at, at + ${KEYS_KEPT}, at
    FROM seed_part WHERE key_id IS NOT NULL AND state = 'completed' AND at > pg_temp.moment(1) - ${KEYS_KEPT};
  INSERT INTO push_configs (run_id, id, url, created_at)
  SELECT id, 'push-1', 'https://push.seed.example/' || n, at FROM seed_part WHERE channel = 'a2a' AND n % 10 = 0;
  INSERT INTO trigger_firings (id, trigger_id, project, number, source, key, at, input, state, reason, attempts, next_at, run_id, created_at, ended_at)
  SELECT pg_temp.id(at, n, 'firing'), trigger_id, project, thread / 10 / ${triggers} + 1, CASE trigger_n % 3 WHEN 2 THEN 'webhook' ELSE 'schedule' END, 'firing-' || n, at, question,
         CASE state WHEN 'waiting' THEN 'started' ELSE state END, CASE WHEN state IN ('failed', 'canceled') THEN 'run' END, 1, at, id, at, CASE WHEN state <> 'waiting' THEN ended_at END
    FROM seed_part WHERE channel = 'trigger' AND at > pg_temp.moment(1) - interval '30 days';
  CREATE TEMP TABLE seed_events AS
  SELECT pg_temp.id(ended_at, n, 'event') AS id, n, project, run, ended_at AS at, row_number() OVER (PARTITION BY project ORDER BY n) AS k,
         'run.' || state AS type, json_build_object('run', run, 'agent', subject_name, 'version', version, 'channel', channel) AS data
    FROM seed_part WHERE (state <> 'completed' OR n % 10 = 0) AND at > pg_temp.moment(1) - interval '30 days';
  WITH added AS (
    INSERT INTO events (id, project, type, subject, data, created_at) SELECT id, project, type, run, data, at FROM seed_events ORDER BY at RETURNING id, seq, project, subject, created_at)
  INSERT INTO event_deliveries (id, webhook_id, event_id, subject, seq, state, attempts, next_at, retry_until, last_at, last_status, created_at)
  SELECT pg_temp.id(a.created_at, e.n, 'delivery'), w.id, a.id, a.subject, a.seq, CASE WHEN e.n % 30 = 0 THEN 'failed' ELSE 'delivered' END, 1, a.created_at,
         a.created_at + interval '72 hours', a.created_at, CASE WHEN e.n % 30 = 0 THEN 500 ELSE 200 END, a.created_at
    FROM added a JOIN seed_events e ON e.id = a.id ${oneOf('seed_webhooks', 'w', 'a', (size) => `e.n % ${size}`)};
  DROP TABLE seed_events;
  INSERT INTO governance_decisions (id, at, user_id, actor_kind, actor_id, action, resource, project, decision, reason, request_id, ip, detail, salt, run)
  SELECT pg_temp.id(at, row_number() OVER (ORDER BY at, resource COLLATE "C", call), 'decision ${first}'), at, user_id, kind, actor, action, resource, project, decision, reason,
         pg_temp.id(at, call, 'request' || resource)::text, '198.51.100.' || (extract(epoch FROM at)::bigint % 250), detail,
         overlay(overlay(md5(resource || at || call) PLACING '4' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid, detail ->> 'run'
    FROM (
      SELECT at, user_id, 'user' AS kind, actor, CASE WHEN is_agent THEN 'agent.message' ELSE 'prompt.run' END AS action,
             CASE WHEN is_agent THEN pg_temp.public_id('ctx', thread_id) ELSE subject_id::text END AS resource, project, 'allow' AS decision, NULL AS reason,
             CASE WHEN is_agent THEN jsonb_build_object('agent', subject_name, 'run', run) ELSE jsonb_build_object('version', version, 'run', run) END AS detail, 0 AS call
        FROM seed_part
      UNION ALL
      SELECT p.at + interval '1 second' * (2 * c.j - 1), user_id, 'mcp', 'Server', 'mcp.call', c.server, project, CASE WHEN p.n % 400 = 0 THEN 'deny' ELSE 'allow' END,
             CASE WHEN p.n % 400 = 0 THEN 'the tool is not approved' END, jsonb_build_object('tool', c.tool, 'agent', subject_name, 'agent_version', version, 'run', run), c.j
        FROM seed_part p JOIN seed_calls c ON c.n = p.n WHERE p.pairs > 0
      UNION ALL
      SELECT at, user_id, kind, actor, action, resource, project, 'allow', NULL, detail, 0 FROM seed_changes
       WHERE at >= pg_temp.moment(${first}::float8 / ${runs}) AND at < pg_temp.moment(${end}::float8 / ${runs})) d
   ORDER BY at, resource COLLATE "C", call;`;

/**
 * Returns the SQL that inserts a part of the runs and all their records, one text for each kind of record.
 *
 * @param {import('./figures.mjs').Figures} figures @param {{ first: number, end: number }} part
 */
export const insertPart = (figures, part) => [
  chooseRuns(figures, part),
  insertRuns,
  insertMessages,
  insertTraces(figures, part),
];

/**
 * Returns SQL that makes the table of subjects (agents and prompts), from which all parts read. It runs once, before the first part.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const prepareRuns = ({ versions }) => `
  CREATE TEMP TABLE seed_subjects AS
  SELECT s.*, u.users FROM (
    SELECT true AS is_agent, n, id, project, slug AS name, 3 AS version, model FROM seed_agents
    UNION ALL SELECT false, n, id, project, 'Prompt ' || n, ${versions}, 'house-small' FROM seed_prompts) s
    JOIN (SELECT project, count(*) AS users FROM seed_users GROUP BY project) u USING (project);
  ANALYZE seed_subjects;`;

/** SQL that sets the number and the time of the last firing of each trigger, after the last part. */
export const endRuns = `
  UPDATE triggers t SET firing_count = f.number, last_fired_at = f.at
    FROM (SELECT trigger_id, max(number) AS number, max(at) AS at FROM trigger_firings GROUP BY trigger_id) f
   WHERE t.id = f.trigger_id AND t.id IN (SELECT id FROM seed_triggers);`;
