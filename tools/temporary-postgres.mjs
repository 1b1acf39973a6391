// @ts-check
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from './postgres.mjs';
import { postgresAccount } from './postgres/account.mjs';
import { removeDataFolder } from './postgres/data-folder.mjs';
import { hasEnded, signal } from './process-state.mjs';

const MEMORY_FOLDER = '/dev/shm';
/** Free space in bytes that a folder needs: several times the use of a test run. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Returns a folder in memory if it has enough space, because a database has hundreds of files and tests create hundreds of databases. */
function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * @typedef {object} TemporaryPostgres
 * @property {string} url address of the maintenance database, as the superuser
 * @property {() => Promise<void>} crash kills the server (SIGKILL). Its data stay on disk, but the last acknowledged commits are lost unless
 *   `synchronous_commit` is on
 * @property {() => Promise<void>} restart starts the server again after `crash`, at the same address
 * @property {() => Promise<void>} stop
 */

/**
 * Starts an empty PostgreSQL whose data are deleted at its end. It ends with `stop`, or with this process.
 *
 * @param {Record<string, string>} [settings] parameters of the server
 * @returns {Promise<TemporaryPostgres>}
 */
export async function startTemporaryPostgres(settings) {
  return runTemporary(temporaryFolder(), settings);
}

/** Settings with which a temporary PostgreSQL can have streaming replicas. Acknowledged commits are not lost with them. */
export const WITH_REPLICAS = { wal_level: 'replica', max_wal_senders: '4', synchronous_commit: 'on' };

/**
 * Starts a streaming replica of a temporary PostgreSQL that was started with `WITH_REPLICAS`. It ends with `stop`, or with this process.
 *
 * @param {string} primary the primary's address, as its superuser
 * @returns {Promise<TemporaryPostgres>}
 */
export async function startTemporaryReplica(primary) {
  const folder = temporaryFolder();
  const { hostname, port, password } = new URL(primary);
  const client = new pg.Client({ connectionString: primary });
  await client.connect();
  try {
    const { rows: settings } = await client.query('SHOW data_directory');
    await client.query("SELECT pg_backup_start('replica', true)");
    // cp keeps the owner of the files; Node's own copy does not.
    spawnSync('cp', ['--archive', settings[0].data_directory, folder.dataFolder]);
    rmSync(join(folder.dataFolder, 'postmaster.pid'));
    const { rows: backups } = await client.query('SELECT labelfile FROM pg_backup_stop()');
    writeServerFile(folder, 'backup_label', backups[0].labelfile);
  } finally {
    await client.end();
  }
  writeServerFile(folder, 'standby.signal', '');
  writeFileSync(`${folder.dataFolder}-password`, password, { mode: 0o600 });
  const primaryAddress = `host=${hostname} port=${port} user=postgres password=${password}`;
  return runTemporary(folder, { ...WITH_REPLICAS, primary_conninfo: primaryAddress });
}

/** @typedef {{ folder: string, dataFolder: string }} Folder */

/** Writes a file that the server may read. @param {Folder} folder @param {string} name @param {string} text */
function writeServerFile({ dataFolder }, name, text) {
  const file = join(dataFolder, name);
  writeFileSync(file, text, { mode: 0o600 });
  const account = postgresAccount();
  if (account) chownSync(file, account.uid, account.gid);
}

/** @returns {Folder} */
function temporaryFolder() {
  const folder = mkdtempSync(join(fastFolder(), 'millwright-'));
  // Other users may enter this folder, because the user `postgres` must reach its data. The data folder in it is closed to others.
  chmodSync(folder, 0o711);
  return { folder, dataFolder: join(folder, 'data') };
}

/**
 * @param {Folder} folders @param {Record<string, string>} [settings]
 * @returns {Promise<TemporaryPostgres>}
 */
async function runTemporary({ folder, dataFolder }, settings) {
  const remove = () => {
    removeDataFolder(dataFolder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const options = { dataFolder, logFile: join(folder, 'log'), durable: false, ...(settings && { settings }) };
  let postgres = await startPostgres(options);
  const { url } = postgres;
  const end = () => {
    postgres.kill();
    remove();
  };
  process.once('exit', end);
  return {
    url,
    async crash() {
      signal(postgres.pid, 'SIGKILL');
      await hasEnded(postgres.pid, 10_000);
    },
    async restart() {
      postgres = await startPostgres({ ...options, port: Number(new URL(url).port) });
      if (postgres.url !== url) throw new Error('Another program has taken the port of PostgreSQL');
    },
    async stop() {
      process.off('exit', end);
      await postgres.stop();
      remove();
    },
  };
}
