// @ts-check
import { noteChanges, numbered, projectOf } from './sql.mjs';

/** Placeholder for a secret. `sealSecrets` replaces it after the insertion, because sealing needs the id of the record. */
export const UNSEALED = 'unsealed';

/**
 * Returns SQL that inserts webhooks, triggers and budgets. Webhooks and schedules are inactive, so that a seeded installation starts nothing and
 * sends nothing by itself.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const starters = ({ webhooks, triggers, budgets, agents }) => `
  ${numbered(
    'seed_webhooks',
    `SELECT n, pg_temp.id(t.at, n, 'webhook') AS id, a.project, t.at, a.id AS user_id, a.name AS actor
       FROM generate_series(0, ${webhooks - 1}) n JOIN seed_admins a ON a.project = ${projectOf('n')},
            LATERAL (SELECT pg_temp.moment(0.1) AS at) t`,
  )}
  INSERT INTO webhooks (id, project, name, url, event_types, status, secret, created_by, created_at, updated_at)
  SELECT id, project, 'Webhook ' || n, 'https://hooks.seed.example/' || n, ARRAY['run.completed', 'run.failed', 'run.canceled', 'run.waiting'], 'inactive', '${UNSEALED}',
         user_id, at, at FROM seed_webhooks;
  ${noteChanges(
    `SELECT at, user_id, actor, 'webhook.create', pg_temp.public_id('wh', id), project, jsonb_build_object('name', 'Webhook ' || n) FROM seed_webhooks`,
  )}

  CREATE TEMP TABLE seed_triggers AS
  SELECT g AS n, pg_temp.id(t.at, g, 'trigger') AS id, pg_temp.public_id('trg', pg_temp.id(t.at, g, 'trigger')) AS public_id, a.n AS agent_n, a.slug, a.project, u.n AS user_n,
         u.id AS user_id, u.name AS actor, t.at, CASE WHEN g % 3 = 2 THEN 'webhook' ELSE 'cron' END AS kind
    FROM generate_series(0, ${triggers - 1}) g JOIN seed_agents a ON a.n = g % ${agents} JOIN seed_users u ON u.id = a.user_id,
         LATERAL (SELECT pg_temp.moment(0) AS at) t;
  INSERT INTO triggers (id, project, name, kind, status, agent, input, overlap, schedule, timezone, address, signature, secret, owner_id, rights, created_by, created_at, updated_at)
  SELECT id, project, 'Trigger ' || n, kind, CASE kind WHEN 'cron' THEN 'inactive' ELSE 'active' END, slug, 'Write the report of the day.', 'skip',
         CASE kind WHEN 'cron' THEN n % 60 || ' 6 * * *' END, CASE kind WHEN 'cron' THEN 'Europe/Brussels' END,
         CASE kind WHEN 'webhook' THEN encode(pg_temp.hash(n, 'address'), 'hex') END, CASE kind WHEN 'webhook' THEN 'standard' END,
         CASE kind WHEN 'webhook' THEN '${UNSEALED}' END, user_id, '{"scopes":["agents:message"],"mcpTools":null}', user_id, at, at
    FROM seed_triggers;
  ${noteChanges(
    "SELECT at, user_id, actor, 'trigger.create', public_id, project, jsonb_build_object('name', 'Trigger ' || n) FROM seed_triggers",
  )}

  CREATE TEMP TABLE seed_budgets AS
  SELECT row_number() OVER (ORDER BY level, b.project, period, n) AS n, b.project, level, period, agent_id, user_id, a.id AS admin_id, a.name AS actor, pg_temp.moment(0.2) AS at
    FROM (
      SELECT 0 AS n, project, 'project' AS level, period, NULL::uuid AS agent_id, NULL::uuid AS user_id FROM seed_admins, unnest(ARRAY['month', 'day']) period
      UNION ALL SELECT n, project, 'agent', 'month', id, NULL FROM seed_agents WHERE n < ${budgets}
      UNION ALL SELECT n, project, 'user', 'day', NULL, id FROM seed_users WHERE n < ${budgets}) b
    JOIN seed_admins a ON a.project = b.project;
  ALTER TABLE seed_budgets ADD id uuid;
  UPDATE seed_budgets SET id = pg_temp.id(at, n, 'budget');
  INSERT INTO budgets (id, project, name, level, agent_id, user_id, period, unit, amount, created_by, created_at, updated_at)
  SELECT id, project, 'Budget ' || n, level, agent_id, user_id, period, 'usd', 100000000000, admin_id, at, at FROM seed_budgets;
  INSERT INTO budget_windows (budget_id, starts_on, amount, spent)
  SELECT b.id, day::date, b.amount, pg_temp.below(s.n * 100 + extract(doy FROM day)::int, 'spent', 50000000)
    FROM seed_budgets s JOIN budgets b ON b.id = s.id CROSS JOIN LATERAL generate_series(
           date_trunc(b.period, pg_temp.moment(0.2) AT TIME ZONE 'UTC'), pg_temp.moment(1) AT TIME ZONE 'UTC', ('1 ' || b.period)::interval) day;
  ${noteChanges(
    "SELECT at, admin_id, actor, 'budget.create', pg_temp.public_id('bud', id), project, jsonb_build_object('name', 'Budget ' || n) FROM seed_budgets",
  )}`;
