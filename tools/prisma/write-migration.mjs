// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { schemaDifference } from './schema-difference.mjs';

/**
 * Writes a new migration with the differences between the schema and the migrations. The developer must add the SQL that Prisma cannot express.
 *
 * @param {string | undefined} name
 */
export async function writeMigration(name) {
  if (!name || !/^[a-z0-9_]+$/.test(name)) {
    console.error('Usage: npm run migration:new -- <name>, of small letters, digits and underscores');
    process.exit(2);
  }
  const sql = await schemaDifference();
  if (sql === '') {
    console.log('The migrations already make what the schema says.');
    return;
  }
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join('prisma', 'migrations', `${time}_${name}`);
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'migration.sql'), sql);
  console.log(`Wrote ${folder}/migration.sql. Read it, and add checks and indexes that Prisma cannot express.`);
}
