import type { Caller, Project } from '@millwright/auth';
import type { RunnableSkill } from '@millwright/catalog';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { PAGE_BYTES } from '@millwright/records';

export const RECORD_KINDS = ['skills', 'agents', 'content'] as const;

const SOURCES = {
  skills: { prefix: 'sk', table: 'skills', name: 'name' },
  agents: { prefix: 'ag', table: 'agents', name: 'name' },
  content: { prefix: 'ct', table: 'content_items', name: 'title' },
} as const;

interface RecordQuery {
  kind: (typeof RECORD_KINDS)[number];
  /** Substring of the name. */
  search: string;
  offset: number;
}

/** Lists a project's records of one kind by name, 50 per page. */
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

/** Page size of the agent list: the number of tools that a client accepts from one server. */
const AGENTS_PAGE = 500;

/** Lists a page of a project's active agents as tools, oldest first; undefined for an invalid cursor. */
export async function listAgentTools(db: Database, project: Project, cursor: string | undefined) {
  const after = cursor === undefined ? LEAST_ID : decodeId('ag', cursor);
  if (after === undefined) return undefined;
  const rows = await db.prepared<{ id: string; slug: string; description: string }>(
    'list-agent-tools',
    `SELECT id, slug, description FROM agents
      WHERE project = $1 AND status = 'active' AND id > $2 ORDER BY id LIMIT ${AGENTS_PAGE + 1}`,
    [project, after],
  );
  const agents = rows.slice(0, AGENTS_PAGE);
  const last = rows.length > AGENTS_PAGE ? agents.at(-1) : undefined;
  return { agents, next: last && encodeId('ag', last.id) };
}

/** Whether the caller started this run by the tool of this agent. */
export async function findOwnRun(
  db: Database,
  { project, actor }: Caller,
  slug: string,
  runId: string,
): Promise<boolean> {
  const rows = await db.prepared(
    'find-own-mcp-run',
    `SELECT 1 FROM runs WHERE id = $1 AND project = $2 AND user_id = $3 AND channel = 'mcp' AND subject_name = $4`,
    [runId, project, actor.userId, slug],
  );
  return rows.length > 0;
}

const PAGE = 100;

const LISTED = 's.name, s.description, s.parameters';
const COLUMNS = `${LISTED}, s.instructions`;

/** A skill in a list, without its instructions, which could exceed the size limit of a page. */
export type ListedSkill = Omit<RunnableSkill, 'instructions'>;

/** The active skills of a project, as prompts show them. */
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

interface ResourceRow {
  id: string;
  slug: string;
  title: string;
  created_at: Date;
}

/** The active content of a project, as resources show it: without bodies. */
export function createResourceStore(db: Database) {
  return {
    /** Lists the page after the cursor, newest first; undefined for an invalid cursor. */
    async list(project: Project, cursor: string | undefined): Promise<ResourcePage | undefined> {
      const after = cursor === undefined ? { created_at: 'infinity', id: MOST_ID } : readCursor(cursor);
      if (!after) return undefined;
      const rows = await db.prepared<ResourceRow>(
        'list-resources',
        `SELECT id, slug, title, created_at FROM content_items
          WHERE project = $1 AND status = 'active' AND (created_at, id) < ($2::timestamptz, $3::uuid)
          ORDER BY created_at DESC, id DESC LIMIT ${PAGE + 1}`,
        [project, after.created_at, after.id],
      );
      const page = rows.slice(0, PAGE);
      const last = rows.length > PAGE ? page.at(-1) : undefined;
      const items = page.map(({ id, slug, title }) => ({ id: encodeId('ct', id), slug, title }));
      return { items, next: last && `${last.created_at.toISOString()}_${encodeId('ct', last.id)}` };
    },
  };
}
export type ResourceStore = ReturnType<typeof createResourceStore>;

export interface ResourcePage {
  items: { id: string; slug: string; title: string }[];
  next: string | undefined;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const MOST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function readCursor(cursor: string): { created_at: string; id: string } | undefined {
  const [, created_at = '', item = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(ct_\w+)$/.exec(cursor) ?? [];
  const id = decodeId('ct', item);
  return id && !Number.isNaN(Date.parse(created_at)) ? { created_at, id } : undefined;
}
