// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, stopRunningPostgres } from '../postgres.mjs';
import { removeDataFolder } from '../postgres/data-folder.mjs';

const NAME = 'millwright';

/** @param {string} stateFolder */
const dataFolderIn = (stateFolder) => join(stateFolder, 'postgres');

/**
 * Starts the embedded PostgreSQL with this checkout's data.
 *
 * @param {string} stateFolder
 * @param {string} [lastUrl] its address at the last start, kept if its port is free
 * @returns {Promise<{ url: string, stop: () => Promise<void>, kill: () => void }>}
 */
export async function startDatabase(stateFolder, lastUrl) {
  const port = lastUrl ? Number(new URL(lastUrl).port) : undefined;
  const logFile = join(stateFolder, 'logs', 'postgres.log');
  const { url: serverUrl, stop, kill } = await startPostgres({ dataFolder: dataFolderIn(stateFolder), logFile, port });
  await createDatabase(serverUrl);
  const url = new URL(serverUrl);
  url.pathname = `/${NAME}`;
  return { url: url.href, stop, kill };
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
