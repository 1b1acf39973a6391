import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { GuardPolicy } from './guard.js';

/** SQL: the policies of a project (`g.project`) and of the agents that `agents` selects, as a JSON list. */
export const selectPolicies = (project: string, agents: string): string => `
  (SELECT coalesce(json_agg(json_build_object('rules', g.rules, 'phone_countries', g.phone_countries)), '[]')
     FROM guard_policies g WHERE (g.project = ${project} AND g.agent_id IS NULL)${agents})`;

/** Lists the policies that apply to all runs of a project. */
export async function listGuardPolicies(db: Database, project: Project): Promise<GuardPolicy[]> {
  const [row] = await db.prepared<{ policies: GuardPolicy[] }>(
    'list-guard-policies',
    `SELECT ${selectPolicies('$1', '')} AS policies`,
    [project],
  );
  return row?.policies ?? [];
}
