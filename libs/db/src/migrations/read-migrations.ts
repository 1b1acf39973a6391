import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Migration {
  /** Name of the migration: `<time>_<name>`. Migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** Checksum as Prisma computes it: SHA-256 of the file, in hexadecimal. */
  checksum: string;
  /** The statements of a migration in parts. When they are missing, one transaction applies `sql`. */
  parts?: readonly MigrationPart[];
}

/**
 * One statement of a migration in parts. It runs outside a transaction of the migration, and may run again when the process died during the
 * statement.
 */
export interface MigrationPart {
  sql: string;
  /** Whether the statement is repeated, each time in a separate transaction, until it changes no row. */
  repeated: boolean;
  /** Tables of a brief part. The statement locks them exclusively for some milliseconds. It runs once, in one transaction with its record. */
  brief?: readonly string[];
  /** The index that the statement builds concurrently. */
  index?: IndexBuild;
  /** The index that the statement drops. */
  drops?: string;
  /** Whether the statement needs an exclusive lock on the table for a moment. It fails when it does not get the lock within seconds. */
  locks?: true;
}

export interface IndexBuild {
  /** `CREATE INDEX` or `CREATE UNIQUE INDEX`. */
  create: string;
  name: string;
  table: string;
  /** The text of the statement after the name of the table. */
  definition: string;
}

const IN_PARTS = '-- in parts';
const PART = /^-- (?:(repeated )?part|brief part: (\w+(?:, \w+)*))$/;
const BUILDS_INDEX = /^(CREATE (?:UNIQUE )?INDEX) CONCURRENTLY IF NOT EXISTS (\w+) ON (\w+)(.*)$/s;
const DROPS_INDEX = /^DROP INDEX CONCURRENTLY IF EXISTS (\w+)$/;
const VALIDATES = /^ALTER TABLE \w+ VALIDATE CONSTRAINT /;
const REPLACES_CHECK = /^ALTER TABLE \w+ DROP CONSTRAINT IF EXISTS (\w+),\s+ADD CONSTRAINT \1 CHECK \(.*\) NOT VALID$/s;
const REPEATED = /^(?:UPDATE|DELETE FROM|INSERT INTO) .*\bLIMIT \d/s;

/**
 * Reads the migrations in a folder with Prisma's layout, `<time>_<name>/migration.sql`, in order.
 *
 * @throws when a migration in parts has no statement, or has a statement that may not run twice.
 */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const parts = partsOf(name, sql);
      return { name, sql, checksum, ...(parts && { parts }) };
    });
}

/**
 * Returns the parts of a migration whose first line is `-- in parts`. A line `-- part`, `-- repeated part` or `-- brief part: <tables>`
 * precedes each statement. Comments before the first of these lines describe the whole migration.
 */
export function partsOf(name: string, sql: string): MigrationPart[] | undefined {
  const [first, ...lines] = sql.split('\n');
  if (first !== IN_PARTS) return undefined;
  const parts: PartText[] = [];
  for (const line of lines) {
    const separator = PART.exec(line);
    if (separator) parts.push({ lines: [], repeated: separator[1] !== undefined, brief: separator[2]?.split(', ') });
    else if (parts.length > 0) parts.at(-1)?.lines.push(line);
    else if (line !== '' && !line.startsWith('--')) throw new Error(`${name}: no "-- part" precedes "${line}"`);
  }
  if (parts.length === 0) throw new Error(`${name}: a migration in parts has no "-- part"`);
  return parts.map((part) => toPart(name, part));
}

interface PartText {
  lines: string[];
  repeated: boolean;
  brief: readonly string[] | undefined;
}

function toPart(name: string, { lines, repeated, brief }: PartText): MigrationPart {
  const sql = lines
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .trim()
    .replace(/;$/, '');
  if (sql.includes(';')) throw new Error(`${name}: a part is one statement`);
  if (brief) return { sql, repeated, brief };
  if (repeated) {
    if (!REPEATED.test(sql)) throw new Error(`${name}: a repeated part is an UPDATE, DELETE or INSERT with a LIMIT`);
    return { sql, repeated };
  }
  if (REPLACES_CHECK.test(sql)) return { sql, repeated, locks: true };
  const [, create, index, table, definition] = BUILDS_INDEX.exec(sql) ?? [];
  if (create && index && table && definition)
    return { sql, repeated, index: { create, name: index, table, definition } };
  const drops = DROPS_INDEX.exec(sql)?.[1];
  if (drops === undefined && !VALIDATES.test(sql)) {
    throw new Error(
      `${name}: a part is CREATE INDEX CONCURRENTLY IF NOT EXISTS, DROP INDEX CONCURRENTLY IF EXISTS, ALTER TABLE … VALIDATE CONSTRAINT, or ALTER TABLE … DROP CONSTRAINT IF EXISTS x, ADD CONSTRAINT x CHECK (…) NOT VALID`,
    );
  }
  return { sql, repeated, ...(drops !== undefined && { drops }) };
}
