// @ts-check
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { removeDataFolder } from './postgres/data-folder.mjs';

const MEMORY_FOLDER = '/dev/shm';
/** Of free space: what a test run has been seen to need several times over. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Memory where there is plenty: a database is hundreds of files, and tests make hundreds of databases. */
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
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startTemporaryPostgres() {
  const folder = mkdtempSync(join(fastFolder(), 'millwright-'));
  // The user postgres must get to its data in there; the data folder itself is closed.
  chmodSync(folder, 0o711);
  const dataFolder = join(folder, 'data');
  const remove = () => {
    removeDataFolder(dataFolder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const postgres = await startPostgres({ dataFolder, logFile: join(folder, 'log'), durable: false });
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
