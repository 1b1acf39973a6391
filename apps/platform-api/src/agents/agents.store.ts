import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { AGENTS, bumpAgentVersions, MOST_SKILLS, removeAgentRecord } from '@millwright/catalog';
import { decodeId, encodeId, type Database, type Target, type Tx } from '@millwright/db';
import type { Condition } from '@millwright/records';
import { AppError, invalidField } from '@millwright/errors';
import type { AgentListQuery } from './agents.contract.js';
import { listRecords } from '../lists/list-records.js';

/**
 * SQL condition for the agents that this agent may call: all except the agent itself and its direct and indirect callers, because such a call would
 * close a cycle.
 */
const callableBy = (uuid: string): Condition => ({
  name: 'callable',
  // ARRAY in place of NOT IN: PostgreSQL evaluates an ARRAY subquery once, but a NOT IN subquery for each agent.
  sql: (of) => `r.id <> ALL(ARRAY(
    WITH RECURSIVE callers (id) AS (
      SELECT ${of}::uuid UNION SELECT l.agent_id FROM agent_callees l JOIN callers c ON c.id = l.callee_id)
    SELECT id FROM callers))`,
  value: uuid,
});

/** Agents of the platform API. Every function reads and changes only one project. */
export function createAgentStore(db: Database) {
  return {
    find: (project: Project, id: string) => AGENTS.find(db, project, id),

    list(project: Project, { callable_by: id, ...query }: AgentListQuery) {
      if (id === undefined) return listRecords(db.reads, AGENTS, project, query);
      const uuid = decodeId('ag', id);
      if (uuid === undefined) throw invalidField('callable_by', 'is not the id of an agent');
      return listRecords(db.reads, AGENTS, project, query, { within: callableBy(uuid) });
    },

    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> => removeAgentRecord(tx, caller, target),

    /** Adds the skill at the end of the agent's list. `false` when the agent already has the skill. */
    async assignSkill(tx: Tx, caller: Caller, target: Target, skillUuid: string): Promise<boolean> {
      const { project, actor } = caller;
      const current = await AGENTS.lock(tx, caller, target);
      const added = await tx.$executeRaw`
        INSERT INTO agent_skills (agent_id, skill_id, position)
        SELECT ${current.id}::uuid, ${skillUuid}::uuid, coalesce(max(position) + 1, 0) FROM agent_skills WHERE agent_id = ${current.id}::uuid
        ON CONFLICT DO NOTHING`;
      if (added === 0) return false;
      const skills = await tx.agentSkill.count({ where: { agent_id: current.id } });
      if (skills > MOST_SKILLS)
        throw invalidField('skill_id', `is one too many: an agent has at most ${MOST_SKILLS} skills`);
      await bumpAgentVersions(tx, actor, [current.id]);
      const detail = { skill_id: encodeId('sk', skillUuid) };
      await recordDecision(tx, { actor, action: 'agent.assign_skill', resource: target.id, project, detail });
      return true;
    },

    /** @throws AppError not_found when the agent does not have the skill. */
    async removeSkill(tx: Tx, caller: Caller, target: Target, skillId: string): Promise<void> {
      const { project, actor } = caller;
      const current = await AGENTS.lock(tx, caller, target);
      const skillUuid = decodeId('sk', skillId);
      const removed =
        skillUuid && (await tx.agentSkill.deleteMany({ where: { agent_id: current.id, skill_id: skillUuid } })).count;
      if (!removed) throw new AppError('not_found');
      await bumpAgentVersions(tx, actor, [current.id]);
      const detail = { skill_id: skillId };
      await recordDecision(tx, { actor, action: 'agent.remove_skill', resource: target.id, project, detail });
    },
  };
}
export type AgentStore = ReturnType<typeof createAgentStore>;
