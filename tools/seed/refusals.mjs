// @ts-check
import { join } from 'node:path';
import { importSources } from '../jest/native/modules.mjs';
import { root } from '../workspace.mjs';
import { DOMAIN } from './people.mjs';

importSources();
const { readMigrations } = await import('@millwright/db/migrations');

/** Thrown when a seed is refused before it begins. The message states what to do. */
export class SeedRefused extends Error {}

/** Tables of records that people and programs make. A database with a row in any of them is in use. */
const RECORDS = [
  'skills',
  'agents',
  'plugins',
  'content_items',
  'files',
  'mcp_servers',
  'models',
  'prompts',
  'conversations',
  'contexts',
  'runs',
  'triggers',
  'webhooks',
  'usage_events',
];

/**
 * Checks that a database can be seeded.
 *
 * @param {import('pg').Client} client
 * @param {{ add: boolean }} options
 * @throws SeedRefused when migrations are missing, when the database was seeded before, or when it has other records and `add` is false
 */
export async function requireSeedable(client, { add }) {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS migrated`);
  const applied = rows[0].migrated
    ? await client.query('SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
    : { rows: [] };
  const names = new Set(applied.rows.map(({ name }) => name));
  const missing = readMigrations(join(root, 'prisma', 'migrations')).filter(({ name }) => !names.has(name));
  if (missing.length > 0) {
    throw new SeedRefused(
      `The database lacks ${missing.length} migrations. Apply them: npm run -s millwright -- db migrate`,
    );
  }
  const seeded = await client.query('SELECT FROM users WHERE email LIKE $1 LIMIT 1', [`%@${DOMAIN}`]);
  if (seeded.rowCount) {
    throw new SeedRefused('The database was seeded before. Take a new one, or start over with `npm start -- --reset`.');
  }
  if (add) return;
  const counts = RECORDS.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table})`);
  const others = await client.query(
    `${counts.join(' UNION ALL ')} UNION ALL SELECT 'users' WHERE (SELECT count(*) FROM (SELECT FROM users LIMIT 2) u) > 1`,
  );
  if (others.rowCount) {
    const found = others.rows.map(({ name }) => name).join(', ');
    throw new SeedRefused(`The database is in use: it has records in ${found}. With --add, the seed adds to them.`);
  }
}
