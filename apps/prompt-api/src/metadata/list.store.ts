import type { Project } from '@millwright/auth';
import { readCount, type Database } from '@millwright/db';
import type { ListQuery } from './list.contract.js';

export interface ListSource {
  /** The table, whose totals are counted under the same name. */
  kind: 'prompts' | 'blocks' | 'artifacts' | 'conversations';
  /** Select list, with `r` the table. */
  columns: string;
  /** Joined to each row of the page. */
  join?: string;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** One page of a project's records, and how many there are. Ties are broken by id, so that paging neither repeats nor skips. */
export async function listPage<Row extends object>(
  db: Database,
  { kind, columns, join = '' }: ListSource,
  project: Project,
  query: ListQuery,
): Promise<Page<Row>> {
  const search = query.search?.trim() ? `%${query.search.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;
  const tags =
    query.tag
      ?.split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '') ?? [];
  const filter = [
    'project = $1',
    query.status ? 'status = $2' : '$2::text IS NULL',
    search ? '(title ILIKE $3 OR description ILIKE $3)' : '$3::text IS NULL',
    tags.length > 0 ? 'tags @> $4' : '$4::text[] IS NOT NULL',
  ].join(' AND ');
  const values = [project, query.status ?? null, search, tags];
  const column = { created: 'created_at', updated: 'updated_at', title: 'title' }[query.sort_by];
  const name = [
    kind,
    column,
    query.sort_direction,
    query.status ? 'status' : 'any',
    search ? 'search' : 'all',
    tags.length > 0 ? 'tags' : 'untagged',
  ].join('-');
  const order = (row: string) => `${row}.${column} ${query.sort_direction}, ${row}.id ${query.sort_direction}`;
  const counted = search ?? tags[0] ?? undefined;
  const [rows, total] = await Promise.all([
    db.prepared<Row>(
      `list-${name}`,
      `SELECT ${columns} FROM (SELECT id FROM ${kind} p WHERE ${filter} ORDER BY ${order('p')} LIMIT $5 OFFSET $6) k
         JOIN ${kind} r USING (id) ${join} ORDER BY ${order('r')}`,
      [...values, query.limit, (query.page - 1) * query.limit],
    ),
    counted === undefined
      ? readCount(db, { project, kind, status: query.status })
      : db
          .prepared<{ n: string }>(`count-${name}`, `SELECT count(*) AS n FROM ${kind} WHERE ${filter}`, values)
          .then((found) => Number(found[0]?.n)),
  ]);
  return { rows, total };
}
