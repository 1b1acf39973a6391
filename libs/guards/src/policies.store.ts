import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { GuardPolicy } from './guard.js';

/** SQL: the external guards of a policy `g`, with the current definitions of their plugins. */
const FILTERS = `
  (SELECT coalesce(json_agg(json_build_object(
            'id', u.pin ->> 'plugin', 'name', coalesce(p.name, u.pin ->> 'plugin'), 'version', p.version,
            'config', p.config, 'secrets', p.secrets, 'points', u.pin -> 'points', 'on_failure', u.pin ->> 'on_failure',
            'is_approved', coalesce(p.status = 'active' AND p.version = (u.pin ->> 'version')::int, false)) ORDER BY u.place), '[]')
     FROM jsonb_array_elements(g.filters) WITH ORDINALITY u (pin, place)
     LEFT JOIN plugins p ON p.id = (u.pin ->> 'plugin')::uuid AND p.project = g.project AND p.type = 'filter')`;

const listOf = (fields: string, policies: string) => `
  (SELECT coalesce(json_agg(json_build_object('rules', g.rules, 'phone_countries', g.phone_countries${fields})), '[]')
     FROM ${policies})`;

const select = (fields: string) => (project: string, agents: string) =>
  listOf(fields, `guard_policies g WHERE (g.project = ${project} AND g.agent_id IS NULL)${agents}`);

const WITH_FILTERS = `, 'filters', ${FILTERS}`;

/** SQL: the policies of a project (`g.project`) and of the agents that `agents` selects, as a JSON list. */
export const selectPolicies = select(WITH_FILTERS);

/** SQL: like {@link selectPolicies}, but for a deleted agent. The agent's own policies are in the column `own`. */
export const selectPoliciesWith = (project: string, own: string) =>
  listOf(
    WITH_FILTERS,
    `(SELECT rules, phone_countries, filters, project FROM guard_policies WHERE project = ${project} AND agent_id IS NULL
       UNION ALL
      SELECT rules, phone_countries, filters, ${project} FROM jsonb_to_recordset(${own}) o (rules jsonb, phone_countries text[], filters jsonb)) g`,
  );

/** SQL: like {@link selectPolicies}, but without external guards. Use it for texts that are guarded within a transaction. */
export const selectBuiltInPolicies = select('');

/** Lists the policies that apply to all runs of a project. */
export async function listGuardPolicies(db: Database, project: Project): Promise<GuardPolicy[]> {
  const [row] = await db.prepared<{ policies: GuardPolicy[] }>(
    'list-guard-policies',
    `SELECT ${selectPolicies('$1', '')} AS policies`,
    [project],
  );
  return row?.policies ?? [];
}
