import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { PAGE_BYTES } from '@millwright/records';
import type { RunnableSkill } from '../runnable/runnable-agents.store.js';

const PAGE = 100;
const LISTED = 's.name, s.description, s.parameters';
const COLUMNS = `${LISTED}, s.instructions`;

/** A skill in a list. The instructions are omitted, because they could exceed the size limit of a page. */
export type ListedSkill = Omit<RunnableSkill, 'instructions'>;

/** Store of the active skills of a project, for prompts. */
export function createPromptSkillStore(db: Database) {
  return {
    /** Lists a page of skills by name, starting after the skill named `after`. */
    async list(project: Project, after: string): Promise<{ skills: ListedSkill[]; next: string | undefined }> {
      const rows = await db.prepared<ListedSkill & { page_rows: string }>(
        'list-prompt-skills',
        `SELECT ${LISTED}, page.page_rows FROM (
           SELECT p.id, count(*) OVER () AS page_rows, sum(p.bytes) OVER (ORDER BY p.name) - p.bytes AS bytes_before FROM (
             SELECT s.id, s.name, octet_length(s.parameters::text) AS bytes FROM skills s
              WHERE s.project = $1 AND s.status = 'active' AND s.name > $2 ORDER BY s.name LIMIT ${PAGE + 1}) p) page
           JOIN skills s USING (id) WHERE page.bytes_before < ${PAGE_BYTES} ORDER BY s.name`,
        [project, after],
      );
      const skills = rows.slice(0, PAGE);
      const isLast = Number(rows[0]?.page_rows ?? 0) === skills.length;
      return { skills, next: isLast ? undefined : skills.at(-1)?.name };
    },

    async find(project: Project, name: string): Promise<RunnableSkill | undefined> {
      const text = `SELECT ${COLUMNS} FROM skills s WHERE s.project = $1 AND s.status = 'active' AND s.name = $2`;
      const [skill] = await db.prepared<RunnableSkill>('find-prompt-skill', text, [project, name]);
      return skill;
    },
  };
}
export type PromptSkillStore = ReturnType<typeof createPromptSkillStore>;
