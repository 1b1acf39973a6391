// @ts-check
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { root } from '../workspace.mjs';
// Node can import these TypeScript files: it strips their types, and they import no other file of the workspace.
import { migrate } from '../../libs/db/src/migrations/migrate.ts';
import { readMigrations } from '../../libs/db/src/migrations/read-migrations.ts';
import { prisma } from './command.mjs';

/**
 * Returns the SQL that changes a database with prisma/migrations into one with prisma/schema; empty when they agree. Our code applies the migrations
 * to a separate embedded PostgreSQL, because Prisma would apply each migration in a transaction.
 *
 * @returns {Promise<string>}
 * @throws {Error} when Prisma refuses, after Prisma has printed the reason
 */
export async function schemaDifference() {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-migration-'));
  const postgres = await startTemporaryPostgres();
  try {
    await migrate(postgres.url, readMigrations(join(root, 'prisma', 'migrations')));
    const output = join(folder, 'migration.sql');
    const args = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema'];
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
