// @ts-check
import pg from 'pg';

/** Makes a database. @param {string} serverUrl @param {string} name @returns {Promise<string>} its URL */
export async function createDatabase(serverUrl, name) {
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** @template {object} Row @param {string} url @param {string} text @param {unknown[]} [values] @returns {Promise<Row[]>} */
export const queryOnce = (url, text, values) =>
  withClient(url, async (client) => /** @type {Row[]} */ ((await client.query(text, values)).rows));

/** @template Result @param {string} url @param {(client: pg.Client) => Promise<Result>} work */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}
