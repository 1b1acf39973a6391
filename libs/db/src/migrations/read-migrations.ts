import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Migration {
  /** `<time>_<name>`: applied in this order. */
  name: string;
  sql: string;
  /** Prisma's: SHA-256 of the file, hex. */
  checksum: string;
}

/** The migrations in a folder of Prisma's layout, `<time>_<name>/migration.sql`, in order. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}
