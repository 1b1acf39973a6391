import type { Database } from '@millwright/db';
import type { Condition } from './conditions.js';

/** The rows and columns of a list. Each source has a `name` of its own. */
export interface ListSource {
  /** Begins the names of the list's statements. */
  name: string;
  table: string;
  /** Name of the row in columns and conditions. Default: `r`. */
  alias?: string;
  /** Select list. */
  columns: string;
  /** Joined to each row of the page. */
  join?: string;
  /** Columns that identify a row. They break ties, so that paging never repeats or skips a row. Default: `id`. */
  key?: readonly string[];
}

export interface PageRequest {
  /** Conditions that all hold. */
  conditions: readonly Condition[];
  /** A column of the table. From a closed set: it becomes part of the statement. */
  sort: string;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
  /** A maintained total. Without it, the rows are counted. */
  total?: (() => Promise<number>) | undefined;
}

interface Page<Row> {
  rows: Row[];
  total: number;
}

/**
 * One page of a list with its total. Each combination of conditions is a prepared statement of its own, so that each gets its own plan.
 * Rows are found on the index first and fetched after, which keeps deep pages fast.
 */
export async function listPage<Row extends object>(
  db: Pick<Database, 'prepared'>,
  { name, table, alias = 'r', columns, join = '', key = ['id'] }: ListSource,
  { conditions, sort, direction, limit, offset, total }: PageRequest,
): Promise<Page<Row>> {
  const values = conditions.map(({ value }) => value);
  const where = conditions.map(({ sql }, index) => sql(`$${index + 1}`)).join(' AND ') || 'true';
  const narrowed = conditions.flatMap((condition) => condition.name ?? []);
  const order = [...new Set([sort, ...key])].map((column) => `${alias}.${column} ${direction}`).join(', ');
  const page = db.prepared<Row>(
    ['list', name, sort, direction, ...narrowed].join('-'),
    `SELECT ${columns} FROM (SELECT ${key.join(', ')} FROM ${table} ${alias} WHERE ${where} ORDER BY ${order}
                              LIMIT $${values.length + 1} OFFSET $${values.length + 2}) page
       JOIN ${table} ${alias} USING (${key.join(', ')}) ${join} ORDER BY ${order}`,
    [...values, limit, offset],
  );
  const counted =
    total?.() ?? count(db, ['count', name, ...narrowed].join('-'), `${table} ${alias} WHERE ${where}`, values);
  const [rows, found] = await Promise.all([page, counted]);
  return { rows, total: found };
}

async function count(db: Pick<Database, 'prepared'>, name: string, from: string, values: unknown[]): Promise<number> {
  const [row] = await db.prepared<{ n: string }>(name, `SELECT count(*) AS n FROM ${from}`, values);
  return Number(row?.n);
}
