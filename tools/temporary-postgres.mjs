// @ts-check
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { removeDataFolder } from './postgres/data-folder.mjs';
import { hasEnded, signal } from './process-state.mjs';

const MEMORY_FOLDER = '/dev/shm';
/** Free space in bytes that a folder needs: several times the use of a test run. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** A folder in memory if it has enough space, because a database has hundreds of files and tests create hundreds of databases. */
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
 * @property {string} url superuser, maintenance database
 * @property {() => Promise<void>} crash kills the server (SIGKILL). Its data stay; with `synchronous_commit` on, also every acknowledged commit
 * @property {() => Promise<void>} restart after `crash`, at the same address
 * @property {() => Promise<void>} stop
 */

/**
 * An empty PostgreSQL that keeps nothing. It ends with `stop`, or with this process.
 *
 * @param {Record<string, string>} [settings] parameters of the server
 * @returns {Promise<TemporaryPostgres>}
 */
export async function startTemporaryPostgres(settings) {
  const folder = mkdtempSync(join(fastFolder(), 'millwright-'));
  // The user postgres must reach its data in this folder; the data folder itself is closed to others.
  chmodSync(folder, 0o711);
  const dataFolder = join(folder, 'data');
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
