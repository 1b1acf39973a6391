// @ts-check
import pg from 'pg';

/** Error codes of Prisma, by error code of PostgreSQL. @type {Record<string, string>} */
const prismaCodes = { '3D000': 'P1003', '28P01': 'P1000' };

/**
 * Connects to a database, or creates it: the two tasks that the WebAssembly engine leaves to its host.
 *
 * @param {string} url
 * @param {boolean} create
 * @returns {Promise<{ error_code: string, message: string } | undefined>} the failure
 */
export async function probeDatabase(url, create) {
  const target = new URL(url);
  const database = decodeURIComponent(target.pathname.slice(1)) || 'postgres';
  if (create) target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.href });
  try {
    await client.connect();
    if (create) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    return undefined;
  } catch (error) {
    const { code = '', message } = /** @type {{ code?: string, message: string }} */ (error);
    return { error_code: prismaCodes[code] ?? 'P1001', message };
  } finally {
    await client.end().catch(() => undefined);
  }
}
