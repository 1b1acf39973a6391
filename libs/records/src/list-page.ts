import type { Database } from '@millwright/db';
import type { Condition } from './conditions.js';

/** The rows and columns of a list. Each source has a unique `name`. */
export interface ListSource {
  /** Prefix of the names of the list's statements. */
  name: string;
  table: string;
  /** Name of the row in columns and conditions. Default: `r`. */
  alias?: string;
  /** Select list for the rows of the page. */
  columns: string;
  /** SQL of a join that adds columns to the rows of the page. */
  join?: string;
  /** SQL for the bytes of the long columns of a row. When it is missing, no column is long. */
  bytes?: string;
  /** Columns that identify a row. They determine the order of rows with equal sort values, so that no page repeats or skips a row. Default: `id`. */
  key?: readonly string[];
}

export interface PageRequest {
  /** Conditions, all of which must hold. */
  conditions: readonly Condition[];
  /** A column of the table. It must come from a closed set, because it becomes part of the statement. */
  sort: string;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
  /** Reads the total of the list from a stored count. Without this function, the rows are counted. */
  total?: (() => Promise<number>) | undefined;
  /** Limit of the count. When it is missing, all rows are counted. */
  mostCounted?: number;
}

interface Page<Row> {
  rows: Row[];
  total: number;
  /** Whether the page has more rows than its limit of bytes admits. */
  cut: boolean;
}

/** Limit of the bytes of a page in long columns. The row that exceeds the limit is the last row of the page. */
export const PAGE_BYTES = 8 * 1_048_576;

/** Limit of the count of rows, for lists of any length: rows beyond the limit are listed but not counted. */
export const MOST_COUNTED = 10_000;

/** The number of rows of the whole page, which each row contains. */
interface PageRows {
  page_rows?: string;
}

/**
 * Reads one page of a list with its total. Each combination of conditions is a separate prepared statement, so that
 * each gets its own plan. The ids of the rows are found with the index first, and the rows are fetched afterwards. So
 * pages far from the start are fast, too. A page of long rows ends after 8 MiB; the rest of the page is read with a
 * larger offset.
 */
export async function listPage<Row extends object>(
  db: Pick<Database, 'prepared'>,
  { name, table, alias = 'r', columns, join = '', bytes, key = ['id'] }: ListSource,
  { conditions, sort, direction, limit, offset, total, mostCounted }: PageRequest,
): Promise<Page<Row>> {
  const values: unknown[] = [];
  const placeholderOf = (condition: Condition) => ('value' in condition ? `$${values.push(condition.value)}` : '');
  const where = conditions.map((condition) => condition.sql(placeholderOf(condition))).join(' AND ') || 'true';
  const narrowed = conditions.flatMap((condition) => condition.name ?? []);
  const order = [...new Set([sort, ...key])].map((column) => `${alias}.${column} ${direction}`).join(', ');
  const rowsOf = (page: string) => `(${page}) page JOIN ${table} ${alias} USING (${key.join(', ')}) ${join}`;
  const found = `SELECT ${key.join(', ')} FROM ${table} ${alias} WHERE ${where} ORDER BY ${order}
                  LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  const sized = `SELECT ${key.map((column) => `${alias}.${column}`).join(', ')}, count(*) OVER () AS page_rows,
                        sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - (${bytes}) AS bytes_before
                   FROM ${rowsOf(found)}`;
  const fitting = `SELECT ${key.join(', ')}, page_rows FROM (${sized}) sized WHERE bytes_before < ${PAGE_BYTES}`;
  const page = db.prepared<Row & PageRows>(
    ['list', name, sort, direction, ...narrowed].join('-'),
    bytes === undefined
      ? `SELECT ${columns} FROM ${rowsOf(found)} ORDER BY ${order}`
      : `SELECT ${columns}, page.page_rows FROM ${rowsOf(fitting)} ORDER BY ${order}`,
    [...values, limit, offset],
  );
  const matching = `${table} ${alias} WHERE ${where}`;
  const from = mostCounted === undefined ? matching : `(SELECT FROM ${matching} LIMIT ${mostCounted}) counted`;
  const counted = total?.() ?? count(db, ['count', name, ...narrowed].join('-'), from, values);
  const [rows, all] = await Promise.all([page, counted]);
  return { rows, total: all, cut: Number(rows[0]?.page_rows ?? 0) > rows.length };
}

async function count(db: Pick<Database, 'prepared'>, name: string, from: string, values: unknown[]): Promise<number> {
  const [row] = await db.prepared<{ n: string }>(name, `SELECT count(*) AS n FROM ${from}`, values);
  return Number(row?.n);
}
