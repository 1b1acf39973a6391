import type { Project } from '@millwright/auth';
import type { RunnableSkill } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';

export const RECORD_KINDS = ['skills', 'agents', 'content'] as const;

const SOURCES = {
  skills: { prefix: 'sk', table: 'skills', name: 'name' },
  agents: { prefix: 'ag', table: 'agents', name: 'name' },
  content: { prefix: 'ct', table: 'content_items', name: 'title' },
} as const;

interface RecordQuery {
  kind: (typeof RECORD_KINDS)[number];
  /** Text that the name contains. */
  search: string;
  offset: number;
}

/** A project's records of a kind, by name, 50 at a time. */
export async function listRecords(db: Database, project: Project, { kind, search, offset }: RecordQuery) {
  const { prefix, table, name } = SOURCES[kind];
  const rows = await db.prepared<{ id: string; name: string; status: string; version: number }>(
    `list-admin-${kind}`,
    `SELECT id, ${name} AS name, status, version FROM ${table}
      WHERE project = $1 AND ($2 = '' OR position(lower($2) IN lower(${name})) > 0)
      ORDER BY ${name}, id LIMIT 50 OFFSET $3`,
    [project, search, offset],
  );
  return rows.map((row) => ({ ...row, id: encodeId(prefix, row.id) }));
}

const PAGE = 100;

const COLUMNS = 's.name, s.description, s.instructions, s.parameters';

/** The active skills of a project, as prompts show them. */
export function createPromptSkillStore(db: Database) {
  return {
    /** A page by name, of the skills after `after`. */
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
export type PromptSkillStore = ReturnType<typeof createPromptSkillStore>;
