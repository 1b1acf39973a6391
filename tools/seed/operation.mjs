// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../workspace.mjs';
import { DAYS } from './figures.mjs';

const AREAS = ['admin', 'platform', 'runtime', 'prompt'];
/**
 * The ranges of durations by which the services count requests. Each has its upper bound in milliseconds, and its share of the requests.
 */
const DURATIONS = [
  { ms: 5, share: 0.35 },
  { ms: 10, share: 0.3 },
  { ms: 20, share: 0.2 },
  { ms: 80, share: 0.1 },
  { ms: 600, share: 0.05 },
];

/**
 * Minutes between the runs of a schedule in the shipped file: every minute, every few minutes, every hour or every day.
 *
 * @param {string} schedule
 */
function minutesOf(schedule) {
  const [minute = '', hour = ''] = schedule.split(' ');
  if (minute === '*') return 1;
  if (minute.startsWith('*/')) return Number(minute.slice(2));
  return hour === '*' ? 60 : 1_440;
}

/**
 * Returns SQL that inserts records of the installation's own work: runs of the shipped jobs, and counts of requests. Their number depends on the
 * number of days and not on the number of users. A scale below 1 has these records for fewer days.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export function operation({ scale }) {
  /** @type {{ jobs: { name: string, extension: string, schedule: string }[] }} */
  const { jobs } = parse(readFileSync(join(root, 'config', 'jobs.yaml'), 'utf8'));
  const listed = jobs.map(({ name, extension, schedule }) => `('${name}', '${extension}', ${minutesOf(schedule)})`);
  const days = Math.min(DAYS, Math.max(1, Math.ceil(DAYS * scale)));
  const buckets = DURATIONS.map(({ ms, share }) => `('requests', ${ms}, ${share})`).join(', ');
  return `
    CREATE TEMP TABLE seed_job_runs AS
    SELECT row_number() OVER (ORDER BY at, job) AS n, job, extension, at FROM (VALUES ${listed.join(', ')}) j (job, extension, minutes),
           LATERAL generate_series(pg_temp.moment(1) - interval '${days} days', pg_temp.moment(1), make_interval(mins => minutes)) at;
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id, attempt, created_at, started_at, finished_at, outcome, detail)
    SELECT pg_temp.id(r.at, r.n, 'job run'), job, extension, r.at, 'schedule', u.id, 1, r.at, r.at, r.at + interval '1 second', 'succeeded', '{}'
      FROM seed_job_runs r, seed_users u WHERE u.n = 0
    ON CONFLICT DO NOTHING;
    INSERT INTO seed_changes (at, user_id, kind, actor, action, resource, project, detail)
    SELECT r.at + interval '1 second', u.id, 'job', job, 'job.run', pg_temp.public_id('job', pg_temp.id(r.at, r.n, 'job run')), NULL, jsonb_build_object('outcome', 'succeeded')
      FROM seed_job_runs r, seed_users u WHERE u.n = 0;
    DROP TABLE seed_job_runs;

    INSERT INTO metric_hours (hour, project, area, metric, bucket_ms, n)
    SELECT hour, project, area, metric, bucket_ms, greatest(1, (${scale} * 400 * share * (0.5 + pg_temp.fraction(extract(epoch FROM hour)::bigint, project || area || metric)))::bigint)
      FROM generate_series(date_trunc('hour', pg_temp.moment(1)) - interval '${days} days', pg_temp.moment(1), interval '1 hour') hour,
           unnest(ARRAY['Core', 'Commerce']) project, unnest(ARRAY['${AREAS.join("', '")}']) area,
           (VALUES ${buckets}, ('errors', 0, 0.01), ('content_searches', 0, 0.05), ('mcp_calls', 0, 0.1)) b (metric, bucket_ms, share)
     WHERE (metric <> 'content_searches' OR area IN ('platform', 'runtime')) AND (metric <> 'mcp_calls' OR area = 'runtime')
    ON CONFLICT (project, hour, metric, area, bucket_ms) DO UPDATE SET n = metric_hours.n + excluded.n;
    INSERT INTO metric_counts (day, project, area, metric, bucket_ms, n)
    SELECT (hour AT TIME ZONE 'UTC')::date, project, area, metric, bucket_ms, sum(n) FROM metric_hours GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (project, day, metric, area, bucket_ms) DO UPDATE SET n = excluded.n;`;
}

/** Tables whose lists have a stored total (libs/db/src/counters.ts), each with the condition for rows that the list contains. */
const COUNTED = {
  skills: 'true',
  agents: 'true',
  plugins: 'true',
  content_items: 'true',
  mcp_servers: 'true',
  prompts: 'deleted_at IS NULL',
  conversations: 'deleted_at IS NULL',
  blocks: 'true',
  artifacts: 'true',
  webhooks: 'deleted_at IS NULL',
  triggers: 'deleted_at IS NULL',
  budgets: "level <> 'run'",
  models: 'true',
};

/** SQL that adds the records that are not counted yet to each stored total. */
export const totals = Object.entries(COUNTED)
  .map(
    ([table, condition]) => `
    INSERT INTO record_counts AS c (project, kind, status, slot, n)
    SELECT r.project, '${table}', r.status, 0, r.n - coalesce((SELECT sum(k.n) FROM record_counts k WHERE (k.project, k.kind, k.status) = (r.project, '${table}', r.status)), 0)
      FROM (SELECT project, status, count(*) AS n FROM ${table} WHERE ${condition} GROUP BY project, status) r
    ON CONFLICT (project, kind, status, slot) DO UPDATE SET n = c.n + excluded.n;`,
  )
  .join('');
