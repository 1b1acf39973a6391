import type { connect } from '@millwright/db/migrations';

export type Client = Awaited<ReturnType<typeof connect>>;

/**
 * The tables of the installation. Partitions are read and written by their tables, since other installations have partitions of other
 * months. pg-boss's tables are left out: their work is temporary, and the services schedule it again.
 */
const TABLES = `
  SELECT quote_ident(relname) AS name FROM pg_class
   WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' ORDER BY relname`;
const SEQUENCES = `
  SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences
   WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`;
/** SQL for the columns that are written. Generated columns cannot be written. */
const COLUMNS = `
  SELECT quote_ident(attname) AS name FROM pg_attribute
   WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;
const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`;

/** `ROWS`: number of rows that one query reads. `WRITE_BYTES`: number of bytes from which rows are written. */
const ROWS = 500;
const WRITE_BYTES = 4 * 1_048_576;

/** Settings with which PostgreSQL writes every value as a text that any other server reads as the same value. */
const EXACT =
  "SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

export const listTables = async (client: Client): Promise<string[]> =>
  (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);

/** Begins a read-only transaction. All its queries read the database as it is at this moment. */
export async function beginSnapshot(client: Client) {
  await client.query(EXACT);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const sequences = await client.query<{ name: string; value: string }>(SEQUENCES);
  return { takenAt: rows[0]?.now ?? new Date(), tables: await listTables(client), sequences: sequences.rows };
}

/** Reads the rows of a table; each line is a JSON string with the text of one row. */
export async function* readRows(client: Client, table: string): AsyncGenerator<Buffer> {
  await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT t::text AS line FROM ${table} t`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS} FROM rows`);
    if (rows.length === 0) break;
    yield Buffer.from(rows.map(({ line }) => `${JSON.stringify(line)}\n`).join(''));
  }
  await client.query('CLOSE rows');
}

/** Reads the ids of all files, as of the snapshot. */
export const readFileIds = async (client: Client): Promise<string[]> =>
  (await client.query<{ id: string }>('SELECT id FROM files ORDER BY id')).rows.map(({ id }) => id);

/** Returns how many of these files still have a row. */
export async function countFiles(client: Client, ids: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM files WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows[0]?.n ?? 0;
}

/** Writes rows in one transaction. Triggers and foreign keys are off until the end of the transaction; then all rows are checked. */
export interface RowWriter {
  begin: (table: string) => Promise<void>;
  write: (lines: Buffer) => Promise<void>;
  end: () => Promise<void>;
  /** Sets the sequences, checks the foreign keys and commits. @returns the number of rows */
  commit: (sequences: readonly { name: string; value: string }[], isGone: readonly string[]) => Promise<number>;
}

export async function createRowWriter(client: Client): Promise<RowWriter> {
  await client.query(EXACT);
  await client.query('BEGIN');
  const tables = await listTables(client);
  const keys = await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
  for (const { table, name } of keys.rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${tables.join(', ')}`);
  let statement = '';
  let kept = Buffer.alloc(0);
  let count = 0;

  async function flush(bytes: Buffer): Promise<void> {
    const lines = bytes
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string);
    if (lines.length === 0) return;
    const { rowCount } = await client.query(statement, [lines]);
    count += rowCount ?? 0;
  }

  return {
    async begin(table) {
      if (!tables.includes(table)) throw new Error(`the table ${table} is not in the schema`);
      const { rows } = await client.query<{ name: string }>(COLUMNS, [table]);
      const columns = rows.map(({ name }) => name);
      // OFFSET 0 keeps PostgreSQL from reading each text once for every column.
      statement = `INSERT INTO ${table} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT ${columns.map((name) => `(r).${name}`).join(', ')}
          FROM (SELECT line::${table} AS r FROM unnest($1::text[]) AS line OFFSET 0) AS rows`;
    },
    async write(lines) {
      kept = Buffer.concat([kept, lines]);
      const end = kept.lastIndexOf('\n') + 1;
      if (end < WRITE_BYTES) return;
      await flush(kept.subarray(0, end));
      kept = kept.subarray(end);
    },
    async end() {
      await flush(kept);
      kept = Buffer.alloc(0);
    },
    async commit(sequences, isGone) {
      for (const { name, value } of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, value]);
      for (const { table, name, definition } of keys.rows)
        await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      // Rows of files that were deleted while the backup was made. The triggers are on again, so that they count the deletions.
      await client.query('DELETE FROM files WHERE id = ANY($1::uuid[])', [isGone]);
      await client.query('COMMIT');
      return count;
    },
  };
}
