// @ts-check
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../tools/ports.mjs';
import { askJson } from '../ask.mjs';
import { createDatabase } from '../databases.mjs';
import { ensurePeer, moduleOfPeer } from '../peers.mjs';
import { startProgram, startServer } from '../processes.mjs';

/** @typedef {import('../processes.mjs').Server} Server */
/** @typedef {Server & { url: string, headers: Record<string, string>, ids: string[] }} Store a peer that stores skills */

const run = promisify(execFile);
const SKILLS = 1_000;
/** Number of skills in one request. Directus answers 503 to larger requests on a busy machine. */
const BATCH = 50;
const PROJECT = 'Core';

const skills = Array.from({ length: SKILLS }, (_, n) => ({
  name: `Skill ${n + 1}`,
  description: 'Handles requests of a kind',
  instructions: 'Read the request and answer it.',
  project: PROJECT,
  status: 'active',
}));

/** Starts parse-server with skills that only signed-in users can read. @param {string} serverUrl of PostgreSQL @returns {Promise<Store>} */
export async function startParseServer(serverUrl) {
  const module = moduleOfPeer('parse-server');
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const database = await createDatabase(serverUrl, 'parse_server');
  const [port = 0] = await freePorts(1);
  const server = await startProgram('peers/parse-server', port, database, module, folder);
  const url = `http://127.0.0.1:${port}`;
  const app = { 'x-parse-application-id': 'bench' };
  const master = { ...app, 'x-parse-master-key': 'bench' };
  const text = { type: 'String' };
  const signedIn = { requiresAuthentication: true };
  await askJson('POST', `${url}/parse/schemas/Skill`, master, {
    className: 'Skill',
    fields: { name: text, description: text, instructions: text, project: text, status: text },
    classLevelPermissions: { get: signedIn, find: signedIn },
  });
  /** @type {string[]} */
  const ids = [];
  for (const skill of skills) ids.push((await askJson('POST', `${url}/parse/classes/Skill`, master, skill)).objectId);
  const account = { username: 'bench', password: 'bench-password-1' };
  const { sessionToken } = await askJson('POST', `${url}/parse/users`, app, account);
  return {
    ...{ ...server, url, ids, headers: { ...app, 'x-parse-session-token': sessionToken } },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts Directus with a collection of skills. The requests have an administrator's static token.
 *
 * @param {string} serverUrl of PostgreSQL @returns {Promise<Store>}
 */
export async function startDirectus(serverUrl) {
  const folder = ensurePeer('directus');
  const files = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const [port = 0] = await freePorts(1);
  const token = 'bench-static-token';
  const env = {
    ...{
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: await createDatabase(serverUrl, 'directus'),
      SECRET: 'bench-secret-bench-secret',
    },
    ...{ ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: 'bench-password-1', ADMIN_TOKEN: token },
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, TELEMETRY: 'false' },
    ...{ STORAGE_LOCAL_ROOT: files, EXTENSIONS_PATH: files, NODE_ENV: 'production', HOME: files },
  };
  const cli = join(folder, 'node_modules/directus/cli.js');
  await run(process.execPath, [cli, 'bootstrap'], { env: { PATH: process.env['PATH'] ?? '', ...env }, cwd: files });
  const server = await startServer([process.execPath, cli, 'start'], port, { env, cwd: files });
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${token}` };
  const text = { type: 'text' };
  await askJson('POST', `${url}/collections`, headers, {
    collection: 'skills',
    ...{ schema: {}, meta: {} },
    fields: [
      { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } },
      ...['name', 'description', 'instructions', 'project', 'status'].map((field) => ({ field, ...text })),
    ],
  });
  /** @type {string[]} */
  const ids = [];
  for (let n = 0; n < SKILLS; n += BATCH) {
    const { data } = await askJson('POST', `${url}/items/skills?limit=-1`, headers, skills.slice(n, n + BATCH));
    for (const { id } of data) ids.push(id);
  }
  return {
    ...{ ...server, url, headers, ids },
    async stop() {
      await server.stop();
      rmSync(files, { recursive: true, force: true });
    },
  };
}
