import type { Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';

export const RECORD_KINDS = ['skills', 'agents', 'content'] as const;

const SOURCES = {
  skills: { prefix: 'sk', table: 'skills', name: 'name' },
  agents: { prefix: 'ag', table: 'agents', name: 'name' },
  content: { prefix: 'ct', table: 'content_items', name: 'title' },
} as const;

interface RecordQuery {
  kind: (typeof RECORD_KINDS)[number];
  /** Text that the name must contain. */
  search: string;
  offset: number;
}

/** Lists a project's records of one kind by name, 50 per page. */
export async function listRecordsByName(db: Database, project: Project, { kind, search, offset }: RecordQuery) {
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
