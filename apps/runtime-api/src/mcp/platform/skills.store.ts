import type { Project } from '@millwright/auth';
import type { RunnableSkill } from '@millwright/catalog';
import type { Database } from '@millwright/db';

const PAGE = 100;

const COLUMNS = 's.name, s.description, s.instructions, s.parameters';

/** The active skills of a project, as prompts show them. */
export function createSkillStore(db: Database) {
  return {
    /** By name, those after `after`; a page at a time. */
    async list(project: Project, after: string): Promise<{ skills: RunnableSkill[]; next: string | undefined }> {
      const rows = await db.prepared<RunnableSkill>(
        'list-prompt-skills',
        `SELECT ${COLUMNS} FROM skills s
          WHERE s.project = $1 AND s.status = 'active' AND s.name > $2 ORDER BY s.name LIMIT ${PAGE + 1}`,
        [project, after],
      );
      const skills = rows.slice(0, PAGE);
      return { skills, next: rows.length > PAGE ? skills.at(-1)?.name : undefined };
    },

    async find(project: Project, name: string): Promise<RunnableSkill | undefined> {
      const text = `SELECT ${COLUMNS} FROM skills s WHERE s.project = $1 AND s.status = 'active' AND s.name = $2`;
      const [skill] = await db.prepared<RunnableSkill>('find-prompt-skill', text, [project, name]);
      return skill;
    },
  };
}
export type SkillStore = ReturnType<typeof createSkillStore>;
