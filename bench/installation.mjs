// @ts-check
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../tools/ports.mjs';
import { root } from '../tools/workspace.mjs';
import { createDatabase } from './databases.mjs';
import { profileOptions } from './profiles.mjs';

const run = promisify(execFile);
const READY_MS = 60_000;
export const USER = 'bench@localhost';

/**
 * @typedef {object} Installation
 * @property {string} url of the platform API
 * @property {number} pid
 * @property {string} databaseUrl
 * @property {string} apiKey of every scope
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the built platform API on a new database of these servers.
 *
 * @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers
 * @param {string} name of the database
 * @param {string} [checkout] whose builds are started
 * @param {Record<string, string>} [env] further settings of the platform API
 * @returns {Promise<Installation>}
 */
export async function startInstallation(servers, name, checkout = root, env = {}) {
  const databaseUrl = await createDatabase(servers.TEST_DATABASE_URL, name);
  const call = (/** @type {string[]} */ ...args) => operator(databaseUrl, args, checkout);
  await call('db', 'migrate');
  await call('users', 'create', '--email', USER, '--name', 'Bench', '--role', 'admin', '--platform-admin');
  const { key } = await call('keys', 'create', '--user', USER, '--name', 'bench');
  const platform = await startPlatform(servers, databaseUrl, checkout, env);
  return { ...platform, databaseUrl, apiKey: key };
}

/**
 * Starts the built platform API.
 *
 * @param {{ TEST_REDIS_URL: string }} servers @param {string} databaseUrl @param {string} [checkout] whose build is started
 * @param {Record<string, string>} [more] further settings
 */
export async function startPlatform(servers, databaseUrl, checkout = root, more = {}) {
  const [port = 0, adminPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const env = { HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), BASE_URL: url, ...more };
  return { url, ...(await startService('platform-api', servers, databaseUrl, env, checkout)) };
}

/**
 * Starts a built service and waits until it is ready.
 *
 * @param {string} name
 * @param {{ TEST_REDIS_URL: string }} servers
 * @param {string} databaseUrl
 * @param {Record<string, string>} env with its ports
 * @param {string} [checkout] whose build is started
 */
export async function startService(name, servers, databaseUrl, env, checkout = root) {
  const service = spawn(process.execPath, [...profileOptions(name), join(checkout, `apps/${name}/dist/main.js`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.TEST_REDIS_URL,
      RATE_LIMIT_MULTIPLIER: '1000000',
      EGRESS_ALLOW_LOOPBACK: 'true',
      SECRETS_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
      ...env,
    },
  });
  const kill = () => void service.kill('SIGKILL');
  process.once('exit', kill);
  await untilReady(`http://127.0.0.1:${env['ADMIN_PORT']}/readyz`);
  return {
    pid: service.pid ?? 0,
    async stop() {
      const exited = once(service, 'exit');
      service.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
    },
  };
}

/** @param {string} databaseUrl @param {string[]} args @param {string} [checkout] whose command line is run */
export async function operator(databaseUrl, args, checkout = root) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, MILLWRIGHT_HOME: join(root, 'bench/no-such-folder') };
  const program = join(checkout, 'apps/cli/dist/main.js');
  const { stdout } = await run(process.execPath, [program, ...args, '--json'], { env });
  return JSON.parse(stdout);
}

/**
 * Makes a new client and returns an access token of the client.
 *
 * @param {string} databaseUrl @param {string} runtimeUrl @param {string} [checkout] whose command line is run @returns {Promise<string>}
 */
export async function newToken(databaseUrl, runtimeUrl, checkout) {
  const args = ['clients', 'create', '--user', USER, '--name', 'bench'];
  const { client_id, client_secret } = await operator(databaseUrl, args, checkout);
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return (await (await fetch(`${runtimeUrl}/oauth/token`, { method: 'POST', body })).json()).access_token;
}

/** @param {string} url */
export async function untilReady(url) {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await delay(50)) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
  }
  throw new Error(`${url} did not become ready`);
}
