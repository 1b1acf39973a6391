import type { Project } from '@millwright/auth';
import { readCount, type Database } from '@millwright/db';
import type { ListQuery } from './list.contract.js';

export interface ListSource {
  /** The table, whose totals are counted under the same name. */
  kind: 'prompts' | 'blocks' | 'artifacts' | 'conversations' | 'agents';
  /** Select list, with `r` the table. */
  columns: string;
  /** What the table calls these columns, where it is not `title` and `tags`. */
  named?: { title: string; tags: string };
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
  { kind, columns, named = { title: 'title', tags: 'tags' }, join = '' }: ListSource,
  project: Project,
  query: ListQuery,
  /** The status asked for, as the table keeps it. */
  status: string | undefined = query.status,
): Promise<Page<Row>> {
  const search = query.search?.trim() ? `%${query.search.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;
  const tags =
    query.tag
      ?.split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '') ?? [];
  const filter = [
    'project = $1',
    status ? 'status = $2' : '$2::text IS NULL',
    search ? `(${named.title} ILIKE $3 OR description ILIKE $3)` : '$3::text IS NULL',
    tags.length > 0 ? `${named.tags} @> $4` : '$4::text[] IS NOT NULL',
  ].join(' AND ');
  const values = [project, status ?? null, search, tags];
  const column = { created: 'created_at', updated: 'updated_at', title: named.title }[query.sort_by];
  const name = [
    kind,
    column,
    query.sort_direction,
    status ? 'status' : 'any',
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
      ? readCount(db, { project, kind, status })
      : db
          .prepared<{ n: string }>(`count-${name}`, `SELECT count(*) AS n FROM ${kind} WHERE ${filter}`, values)
          .then((found) => Number(found[0]?.n)),
  ]);
  return { rows, total };
}
