// @ts-check
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { removeDataFolder } from './postgres/data-folder.mjs';

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
 * An empty PostgreSQL that keeps nothing. It ends with `stop`, or with this process.
 *
 * @param {Record<string, string>} [settings] parameters of the server
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
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
  const postgres = await startPostgres({
    dataFolder,
    logFile: join(folder, 'log'),
    durable: false,
    ...(settings && { settings }),
  });
  const end = () => {
    postgres.kill();
    remove();
  };
  process.once('exit', end);
  return {
    url: postgres.url,
    async stop() {
      process.off('exit', end);
      await postgres.stop();
      remove();
    },
  };
}
