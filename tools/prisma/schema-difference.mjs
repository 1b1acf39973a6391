// @ts-check
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { prisma } from './command.mjs';

/**
 * The SQL from the database of prisma/migrations to prisma/schema; empty when they agree. The migrations run in an embedded
 * PostgreSQL of their own.
 *
 * @returns {Promise<string>}
 * @throws {Error} when Prisma refuses, after Prisma has printed the reason
 */
export async function schemaDifference() {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-migration-'));
  const postgres = await startTemporaryPostgres();
  try {
    const output = join(folder, 'migration.sql');
    const args = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema'];
    const status = prisma([...args, '--script', '--exit-code', '--output', output], { DATABASE_URL: postgres.url });
    // Prisma also exits with 0 when its engine dies: only the file proves a comparison.
    if (existsSync(output) && status === 0) return '';
    if (existsSync(output) && status === 2) return readFileSync(output, 'utf8');
    throw new Error('Prisma could not compare the migrations with the schema');
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
