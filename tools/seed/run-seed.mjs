// @ts-check
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { secretsKeys } from '../start/secrets-keys.mjs';
import { readJson } from '../start/state-files.mjs';
import { stateFolder } from '../workspace.mjs';
import { DAYS } from './figures.mjs';
import { createFinisher } from './finish-seed.mjs';
import { requireSeedable, SeedRefused } from './refusals.mjs';
import { writeSeed } from './write-seed.mjs';

const SCALES = ['1', '10', '100'];
const USAGE = `Usage: npm run seed -- --scale ${SCALES.join('|')} [--until TIME] [--add]

Fills the database of DATABASE_URL, or else that of the installation that \`npm start\` has started, as ${DAYS} days of use would.
  --scale   1: 20 people and 15,000 runs; 10 and 100: as many times more (default: 1)
  --until   end of the period, ISO 8601; the same end has the same rows (default: the last full hour)
  --add     also into a database that has records`;

const HOUR_MS = 3_600_000;

/** @typedef {{ url: string, secretsKeys: string }} Target */

/**
 * Runs `npm run seed`.
 *
 * @param {string[]} args @returns {Promise<number>} the exit code
 */
export async function runSeed(args) {
  const options = read(args);
  if (typeof options === 'string') {
    console.error(options);
    return options === USAGE ? 0 : 2;
  }
  try {
    await seed({ ...targetOf(process.env), ...options, say: createProgress() });
    return 0;
  } catch (error) {
    if (!(error instanceof SeedRefused)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** @param {string[]} args @returns {{ scale: number, until: Date, add: boolean } | string} the options, or a text for the terminal */
function read(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        scale: { type: 'string', default: '1' },
        until: { type: 'string' },
        add: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return USAGE;
    const until = new Date(values.until ?? Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    if (!SCALES.includes(values.scale)) return `--scale must be one of ${SCALES.join(', ')}\n\n${USAGE}`;
    if (Number.isNaN(until.getTime())) return `--until must be a time, such as 2026-01-31T12:00:00Z\n\n${USAGE}`;
    return { scale: Number(values.scale), until, add: values.add };
  } catch (error) {
    return `${/** @type {Error} */ (error).message}\n\n${USAGE}`;
  }
}

/**
 * Returns the database to fill, with the keys of its installation.
 *
 * @param {NodeJS.ProcessEnv} env @returns {Target}
 * @throws SeedRefused in production, or when no database is named
 */
export function targetOf(env) {
  if (env['NODE_ENV'] === 'production')
    throw new SeedRefused('NODE_ENV is production: seeds are for other installations.');
  const local = readJson(join(stateFolder, 'platform.json'));
  const url = env['DATABASE_URL'] || local?.database_url;
  if (!url) throw new SeedRefused('There is no database to fill. Run `npm start` first, or set DATABASE_URL.');
  const own = url === local?.database_url ? secretsKeys(join(stateFolder, 'keys')) : undefined;
  // Without the installation's keys, the secrets are sealed with a new key. No service can read them then, which is harmless.
  return { url, secretsKeys: env['SECRETS_KEYS'] || own || `seed:${randomBytes(32).toString('base64')}` };
}

/**
 * Fills a migrated database.
 *
 * @param {Target & { scale: number, until: Date, add: boolean, say: (line: string) => void }} options
 * @throws SeedRefused when the database does not answer, or when `requireSeedable` refuses it
 */
export async function seed({ url, add, say, ...options }) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'seed' });
  await client.connect().catch((/** @type {Error} */ error) => {
    throw new SeedRefused(
      `The database does not answer (${error.message}). Is it running? \`npm start\` starts its own.`,
    );
  });
  try {
    await requireSeedable(client, { add });
    const finisher = await createFinisher(url, say);
    try {
      await writeSeed(client, { ...options, add, say });
      const from = new Date(options.until.getTime() - DAYS * 24 * HOUR_MS);
      await finisher.finish({ from, until: options.until });
    } finally {
      await finisher.close();
    }
    await printSizes(client, say);
  } finally {
    await client.end();
  }
}

/** @param {import('pg').Client} client @param {(line: string) => void} say */
async function printSizes(client, say) {
  const { rows } = await client.query(
    `SELECT t.relname AS name, sum(p.reltuples)::bigint AS n, pg_size_pretty(sum(pg_total_relation_size(p.oid))) AS size,
            pg_size_pretty(pg_database_size(current_database())) AS total
       FROM pg_class t, LATERAL (SELECT t.oid UNION SELECT relid FROM pg_partition_tree(t.oid) WHERE isleaf) part JOIN pg_class p USING (oid)
      WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relnamespace = 'public'::regnamespace AND p.relkind = 'r'
      GROUP BY t.oid, t.relname ORDER BY n DESC LIMIT 12`,
  );
  for (const { name, n, size } of rows) say(`${name}: ${Number(n).toLocaleString('en')} rows, ${size}`);
  say(`the database: ${rows[0].total}`);
}

/** Makes a function that prints lines with the seconds since the start. */
function createProgress() {
  const began = performance.now();
  return (/** @type {string} */ line) =>
    console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}
