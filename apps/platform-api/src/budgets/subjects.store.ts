import type { Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { contains } from '@millwright/records';
import type { BudgetSubject, BudgetSubjectQuery } from './budgets.contract.js';

/** Maximum number of subjects in one answer. A search finds other subjects. */
const MOST_SUBJECTS = 50;

type SubjectLevel = BudgetSubjectQuery['level'];

interface Source {
  /** SQL that selects `id`, `name` and `detail` for the project in `$1`. */
  rows: string;
  searched: readonly string[];
  toId: (id: string) => string;
}

const SOURCES: Readonly<Record<SubjectLevel, Source>> = {
  api_key: {
    rows: `SELECT k.id::text AS id, k.name, u.name AS detail FROM user_api_keys k JOIN users u ON u.id = k.user_id
            WHERE k.project = $1 AND k.kind = 'api_key' AND k.revoked_at IS NULL`,
    searched: ['k.name', 'u.name'],
    toId: (id) => encodeId('key', id),
  },
  client: {
    rows: `SELECT c.client_id AS id, c.name, c.client_id AS detail FROM oauth_clients c
            WHERE (c.project IS NULL OR c.project = $1) AND c.revoked_at IS NULL`,
    searched: ['c.name', 'c.client_id'],
    toId: (id) => id,
  },
  user: {
    // An admin may be the subject of a budget in every project.
    rows: `SELECT u.id::text AS id, u.name, u.email AS detail FROM users u
            WHERE (u.project = $1 OR u.role = 'admin') AND u.deleted_at IS NULL`,
    searched: ['u.name', 'u.email'],
    toId: (id) => encodeId('usr', id),
  },
  agent: {
    rows: `SELECT a.id::text AS id, a.name, a.slug AS detail FROM agents a WHERE a.project = $1`,
    searched: ['a.name', 'a.slug'],
    toId: (id) => encodeId('ag', id),
  },
  trigger: {
    rows: `SELECT t.id::text AS id, t.name, t.agent AS detail FROM triggers t WHERE t.project = $1 AND t.deleted_at IS NULL`,
    searched: ['t.name', 't.agent'],
    toId: (id) => encodeId('trg', id),
  },
};

/** Lists the possible subjects for a project's budgets of one level, in the order of their names. */
export async function listSubjects(
  db: Pick<Database, 'prepared'>,
  project: Project,
  { level, search }: BudgetSubjectQuery,
): Promise<BudgetSubject[]> {
  const { rows, searched, toId } = SOURCES[level];
  const found = contains(searched, search?.trim() ?? '');
  const subjects = await db.prepared<BudgetSubject>(
    `list-budget-subjects-${level}`,
    `${rows} AND ${found.sql('$2')} ORDER BY name, id LIMIT ${MOST_SUBJECTS}`,
    [project, found.value],
  );
  return subjects.map(({ id, name, detail }) => ({ id: toId(id), name, detail }));
}
