import type { Project } from '@millwright/auth';
import { changeSkillRecord, createSkillRecord, readSkillRecord, removeSkillRecord, SKILLS } from '@millwright/catalog';
import { decodeId, type Database } from '@millwright/db';
import type { ListQuery } from '../lists/list.contract.js';
import { listRecords } from '../lists/list-records.js';

/** Skills of the platform API. Every function reads and changes only one project. */
export function createSkillStore(db: Database) {
  return {
    find: (project: Project, id: string) => SKILLS.find(db, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db.reads, SKILLS, project, query),

    /** Lists the skills of an agent, by the agent's id. */
    listOfAgent: (project: Project, agentId: string, query: ListQuery) =>
      listRecords(db.reads, SKILLS, project, query, {
        within: {
          name: 'agent',
          sql: (agent) => `r.id IN (SELECT skill_id FROM agent_skills WHERE agent_id = ${agent})`,
          value: decodeId('ag', agentId) ?? '',
        },
      }),

    read: readSkillRecord,
    create: createSkillRecord,
    change: changeSkillRecord,
    remove: removeSkillRecord,
  };
}
export type SkillStore = ReturnType<typeof createSkillStore>;
