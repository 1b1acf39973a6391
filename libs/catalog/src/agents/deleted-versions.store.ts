import type { Tx } from '@millwright/db';
import type { Agent } from './agents.schema.js';

/**
 * Stores the versions of an agent with which unfinished runs have begun, and everything that these runs need to finish.
 * Call this in the transaction that deletes the agent. The row of the agent is locked, so that no run of the agent
 * starts meanwhile. For an inactive or stopped agent, no version is stored: its runs end.
 */
export async function keepVersionsUnderWay(tx: Tx, uuid: string, agent: Agent): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO deleted_agent_versions (agent_id, version, project, slug, at, agent, state, guard_policies)
    SELECT a.id, r.version, a.project, a.slug, clock_timestamp(), ${JSON.stringify(agent)}::json, v.state,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('rules', g.rules, 'phone_countries', g.phone_countries, 'filters', g.filters)), '[]')
              FROM guard_policies g WHERE g.agent_id = a.id)
      FROM agents a
     CROSS JOIN (SELECT DISTINCT subject_version AS version FROM runs
                  WHERE subject_id = ${uuid}::uuid AND state IN ('queued', 'running', 'waiting') AND started_at IS NOT NULL
                    AND subject_version IS NOT NULL AND channel <> 'draft') r
      LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.version = r.version AND v.version <> a.version
     WHERE a.id = ${uuid}::uuid AND a.status = 'active' AND a.stopped_at IS NULL`;
}
