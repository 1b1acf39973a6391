// @ts-check
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { prisma } from './command.mjs';

/**
 * The SQL that leads from what prisma/migrations make to what prisma/schema says; empty when they agree. The migrations are run in an
 * embedded PostgreSQL of its own.
 *
 * @returns {Promise<string>}
 * @throws {Error} when Prisma refuses; it has said why by then
 */
export async function schemaDifference() {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-migration-'));
  const postgres = await startTemporaryPostgres();
  try {
    const output = join(folder, 'migration.sql');
    const args = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema'];
    const status = prisma([...args, '--script', '--exit-code', '--output', output], { DATABASE_URL: postgres.url });
    // An engine that dies also ends Prisma with 0: only the file says that there was a comparison.
    if (existsSync(output) && status === 0) return '';
    if (existsSync(output) && status === 2) return readFileSync(output, 'utf8');
    throw new Error('Prisma could not compare the migrations with the schema');
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
