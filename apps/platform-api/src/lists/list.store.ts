import type { Project } from '@millwright/auth';
import { decodeId, readCount, type CountedKind, type Database, type IdPrefix, type Versioned } from '@millwright/db';
import type { ListQuery } from './list.contract.js';

/** What the lists' queries have in common; each contract closes its own `sort` and `status`. */
export type PageQuery = Omit<ListQuery, 'sort' | 'status'> & {
  sort: ListQuery['sort'] | 'title';
  status?: string | undefined;
};

/** Records of one kind, each with its version and project. */
export interface RecordSource<Row extends object, Shown extends Versioned<unknown>> {
  kind: CountedKind;
  prefix: IdPrefix;
  /** Columns of `r`, the record's row. */
  columns: string;
  /** Where a search looks; the first is the name. Default: name and description. */
  searched?: readonly [name: string, text: string];
  toShown: (row: Row) => Shown;
}

/** Narrows a list to records that belong to another one. `$4` is the other's UUID. */
export interface Within {
  name: string;
  sql: string;
  uuid: string;
}

/** The project's record with this id. */
export async function findRecord<Row extends object, Shown extends Versioned<unknown>>(
  db: Database,
  { kind, prefix, columns, toShown }: RecordSource<Row, Shown>,
  project: Project,
  id: string,
): Promise<Shown | undefined> {
  const uuid = decodeId(prefix, id);
  if (!uuid) return undefined;
  const text = `SELECT ${columns} FROM ${kind} r WHERE r.id = $1 AND r.project = $2`;
  const [row] = await db.prepared<Row>(`find-${kind}`, text, [uuid, project]);
  return row && toShown(row);
}

/** Below this many characters a trigram index finds nothing: such searches match beginnings of names. */
const TRIGRAM_LENGTH = 3;

/**
 * One page of a project's records with the total. Ids break ties, so paging never repeats or skips. Rows are found on the index
 * first and fetched after, which keeps deep pages fast; the total of an unsearched list is maintained, not counted.
 */
export async function listRecords<Row extends object, Shown extends Versioned<unknown>>(
  db: Database,
  { kind, columns, searched = ['name', 'description'], toShown }: RecordSource<Row, Shown>,
  project: Project,
  query: PageQuery,
  within?: Within,
): Promise<{ items: Shown['record'][]; total: number; page: number; per_page: number }> {
  const search = query.search?.trim();
  const filter = filterSql(search, query.status !== undefined, searched, within);
  const values = [project, query.status ?? null, search ? pattern(search) : null, within?.uuid ?? null];
  const order = `${query.sort} ${query.order}, id ${query.order}`;
  const page = db.prepared<Row>(
    `list-${kind}-${query.sort}-${query.order}-${filter.name}`,
    `SELECT ${columns} FROM (SELECT id FROM ${kind} WHERE ${filter.sql} ORDER BY ${order} LIMIT $5 OFFSET $6) k
       JOIN ${kind} r USING (id) ORDER BY ${order.replaceAll(/(\w+) (asc|desc)/g, 'r.$1 $2')}`,
    [...values, query.per_page, (query.page - 1) * query.per_page],
  );
  const total =
    search || within
      ? db
          .prepared<{ n: string }>(
            `count-${kind}-${filter.name}`,
            `SELECT count(*) AS n FROM ${kind} WHERE ${filter.sql}`,
            values,
          )
          .then((rows) => Number(rows[0]?.n))
      : readCount(db, { project, kind, status: query.status });
  const [rows, n] = await Promise.all([page, total]);
  return { items: rows.map((row) => toShown(row).record), total: n, page: query.page, per_page: query.per_page };
}

/** Each combination is a statement of its own, so that each gets its own plan. All take the same four values. */
function filterSql(
  search: string | undefined,
  byStatus: boolean,
  [title, text]: readonly [string, string],
  within: Within | undefined,
): { name: string; sql: string } {
  const how = !search ? 'all' : search.length < TRIGRAM_LENGTH ? 'prefix' : 'search';
  const match = {
    all: '$3::text IS NULL',
    prefix: `${title} ILIKE $3`,
    search: `(${title} ILIKE $3 OR ${text} ILIKE $3)`,
  }[how];
  const status = byStatus ? 'status = $2' : '$2::text IS NULL';
  return {
    name: `${how}-${byStatus ? 'status' : 'any'}-${within?.name ?? 'project'}`,
    sql: `project = $1 AND ${status} AND ${match} AND ${within?.sql ?? '$4::uuid IS NULL'}`,
  };
}

function pattern(search: string): string {
  const literal = search.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return search.length < TRIGRAM_LENGTH ? `${literal}%` : `%${literal}%`;
}
