// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, stopRunningPostgres } from '../postgres.mjs';
import { removeDataFolder } from '../postgres/data-folder.mjs';
import { isAlive } from '../process-state.mjs';

const NAME = 'millwright';

/** @param {string} stateFolder */
const dataFolderIn = (stateFolder) => join(stateFolder, 'postgres');

/** Interval in milliseconds at which the server's process is checked. */
const CHECK_MS = 1_000;

/**
 * Starts the embedded PostgreSQL with this checkout's data, and starts it again at the same address when it dies.
 *
 * @param {string} stateFolder
 * @param {(line: string) => void} say receives lines for the terminal
 * @param {string} [lastUrl] address of the server at the last start, which is used again if its port is free
 * @returns {Promise<{ url: string, stop: () => Promise<void>, kill: () => void }>}
 */
export async function startDatabase(stateFolder, say, lastUrl) {
  const logFile = join(stateFolder, 'logs', 'postgres.log');
  /** @param {string} [address] */
  const start = (address) => {
    const port = address ? Number(new URL(address).port) : undefined;
    return startPostgres({ dataFolder: dataFolderIn(stateFolder), logFile, port });
  };
  let server = await start(lastUrl);
  await createDatabase(server.url);
  const url = new URL(server.url);
  url.pathname = `/${NAME}`;

  const stopping = new AbortController();
  const keeping = keepRunning();
  async function keepRunning() {
    while (!stopping.signal.aborted) {
      await sleep(CHECK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted || isAlive(server.pid)) continue;
      say('PostgreSQL ended; starting it again.');
      try {
        server = await start(url.href);
        say(`PostgreSQL is back as process ${server.pid}.`);
      } catch (error) {
        say(`PostgreSQL did not start: ${/** @type {Error} */ (error).message}`);
      }
    }
  }

  return {
    url: url.href,
    async stop() {
      stopping.abort();
      await keeping;
      await server.stop();
    },
    kill() {
      stopping.abort();
      server.kill();
    },
  };
}

/** @param {string} serverUrl */
async function createDatabase(serverUrl) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
  await client.end();
}

/** Removes this checkout's data. Stops a server that a killed start left running. @param {string} stateFolder */
export async function removeDatabase(stateFolder) {
  await stopRunningPostgres(dataFolderIn(stateFolder));
  removeDataFolder(dataFolderIn(stateFolder));
  rmSync(`${dataFolderIn(stateFolder)}-password`, { force: true });
}
