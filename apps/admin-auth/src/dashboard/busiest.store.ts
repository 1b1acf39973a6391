import { BUILT_IN_AGENT } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { USAGE_BY_SUBJECT } from '@millwright/models/usage';
import type { Busy, Usage } from './usage.contract.js';
import { dayText, type UsagePeriod } from './usage-period.js';

const SHOWN = 5;

/** SQL for a sum of costs: null when one of the costs is unknown. */
const COST = 'CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd) END';
const SUMS = `sum(prompt_tokens + completion_tokens)::float8 AS tokens, (${COST})::float8 AS cost_usd`;
const messages = `coalesce(sum(events) FILTER (WHERE kind = 'agent_message'), 0)::float8 AS uses`;

/** SQL for the most used agents, skills and prompts. A use of an agent counts as a use of each of its skills. */
const busiest = (source: string) => `
  WITH used AS MATERIALIZED (
    SELECT project, kind, subject_id, sum(events) AS events, sum(prompt_tokens) AS prompt_tokens,
           sum(completion_tokens) AS completion_tokens, ${COST} AS cost_usd
      FROM ${source} WHERE project = ANY($3) GROUP BY project, kind, subject_id
  ), agents_used AS (
    SELECT 'agents' AS what, subject_id AS id, a.name, used.project, ${messages}, ${SUMS}
      FROM used LEFT JOIN agents a ON a.id = subject_id WHERE kind IN ('agent_message', 'agent_step')
     GROUP BY subject_id, a.name, used.project ORDER BY uses DESC, tokens DESC, id LIMIT ${SHOWN}
  ), skills_used AS (
    SELECT 'skills' AS what, s.id, s.name, s.project, ${messages}, ${SUMS}
      FROM used JOIN agent_skills ON agent_id = subject_id JOIN skills s ON s.id = skill_id AND s.status = 'active'
     WHERE kind IN ('agent_message', 'agent_step') GROUP BY s.id ORDER BY uses DESC, tokens DESC, s.id LIMIT ${SHOWN}
  ), prompts_used AS (
    SELECT 'prompts' AS what, subject_id AS id, p.title AS name, used.project, sum(events)::float8 AS uses, ${SUMS}
      FROM used LEFT JOIN prompts p ON p.id = subject_id AND p.deleted_at IS NULL WHERE kind = 'prompt_run'
     GROUP BY subject_id, p.title, used.project ORDER BY uses DESC, tokens DESC, id LIMIT ${SHOWN}
  )
  SELECT * FROM agents_used UNION ALL SELECT * FROM skills_used UNION ALL SELECT * FROM prompts_used`;

const BY_DAY = busiest(USAGE_BY_SUBJECT);
const BY_EVENT = busiest(`(
  SELECT project, kind, subject_id, 1::bigint AS events, prompt_tokens, completion_tokens, cost_usd
    FROM usage_events WHERE project = ANY($3) AND at >= $1::timestamptz AND at < $2::timestamptz) usage`);

type Row = Busy & { what: keyof Usage['busiest'] };

export function createBusiestStore(db: Database) {
  return async (projects: readonly string[], { interval, from, to }: UsagePeriod): Promise<Usage['busiest']> => {
    const rows =
      interval === 'hour'
        ? await db.reads.prepared<Row>('dashboard-busiest-by-event', BY_EVENT, [from, to, projects])
        : await db.reads.prepared<Row>('dashboard-busiest-by-day', BY_DAY, [dayText(from), dayText(to), projects]);
    const of = (what: Row['what']) => rows.filter((row) => row.what === what).map(toBusy);
    return { agents: of('agents'), skills: of('skills'), prompts: of('prompts') };
  };
}

/** Returns the record with its public id. */
function toBusy({ what, id, name, project, uses, tokens, cost_usd }: Row): Busy {
  const rest = { project, uses, tokens, cost_usd };
  if (what === 'prompts') return { id, name, ...rest };
  if (id === BUILT_IN_AGENT.id) return { id: BUILT_IN_AGENT.slug, name: BUILT_IN_AGENT.slug, ...rest };
  return { id: encodeId(what === 'agents' ? 'ag' : 'sk', id), name, ...rest };
}
