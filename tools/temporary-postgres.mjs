// @ts-check
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';
import { removeDataFolder } from './postgres/data-folder.mjs';

/**
 * An empty PostgreSQL that keeps nothing. It ends with `stop`, or with this process.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startTemporaryPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-'));
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
