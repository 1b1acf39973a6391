// @ts-check
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { parseAllDocuments } from 'yaml';
import { freePorts } from '../../tools/ports.mjs';
import { deviceCaFiles } from '../../tools/start/device-ca.mjs';
import { root } from '../../tools/workspace.mjs';
import { operator, startInstallation, USER } from '../installation.mjs';
import { median } from '../median.mjs';
import { limitMemory } from '../memory-limit.mjs';
import { memoryOf } from '../processes.mjs';
import { inRounds, roundsTable, valuesOf } from '../rounds.mjs';

/**
 * @typedef {{ method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string }} Asked
 * @typedef {object} Subject a program to start, and how its start is detected
 * @property {string} name
 * @property {string[]} command
 * @property {Record<string, string>} env
 * @property {number} port
 * @property {string} firstUrl URL that answers 200 once the program can do its work
 */

/** Number of starts of each program in a round. */
const STARTS = 3;
const IDLE_MS = 5_000;
/** The load lasts for this multiple of the seconds of a round, because memory grows until the first full collections of the heap. */
const LOADS = 3;
const AT_ONCE = 64;
/** Size of each service's connection pool, small because all services share the PostgreSQL of this machine. */
const POOL = '10';

/**
 * Measures goal P14: the time from a service's start to its first answer, and its memory when idle, under load and after the load.
 *
 * @param {import('../run.mjs').Context} context @returns {Promise<import('../run.mjs').Outcome>}
 */
export async function measureServices({ servers, rounds: count, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const installation = await startInstallation(servers, 'services');
  try {
    const subjects = await subjectsOf(servers, installation.databaseUrl, folder);
    const hello = await helloSubject();
    const sides = Object.fromEntries(
      subjects.map((subject) => [
        subject.name,
        async (/** @type {boolean} */ isWarming) => {
          const starts = await startsOf([hello, subject], isWarming ? 1 : STARTS);
          if (isWarming) return {};
          const memory = await memoryOfOne(subject, await askedOf(subject, installation), LOADS * seconds * 1_000);
          return { ...starts, ...memory };
        },
      ]),
    );
    const rounds = await inRounds(sides, count);
    const row = subjects.flatMap(({ name }) => [
      [`${name} start`, valuesOf(rounds, 'of express hello', name)],
      [`${name} idle`, valuesOf(rounds, 'idle MiB', name)],
      [`${name} after`, valuesOf(rounds, 'after MiB', name)],
    ]);
    return {
      rows: { P14: Object.fromEntries(row) },
      tables: { 'P14: services': roundsTable(rounds, Object.keys(rounds[0]?.sides[subjects[0]?.name ?? ''] ?? {})) },
    };
  } finally {
    await installation.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Starts the two programs in turn, so that other load of the machine affects both alike.
 *
 * @param {[Subject, Subject]} subjects `express hello`, and the service that is compared with it @param {number} count
 */
async function startsOf([hello, subject], count) {
  /** @type {[number[], number[]]} */
  const times = [[], []];
  for (let n = 0; n < count; n += 1)
    for (const [index, one] of [hello, subject].entries()) {
      const { milliseconds, stop } = await start(one);
      times[index]?.push(milliseconds);
      await stop();
    }
  const [helloMs, ms] = [median(times[0]), median(times[1])];
  return { 'first answer ms': ms, 'of express hello': ms / helloMs };
}

/** @param {{ TEST_REDIS_URL: string }} servers @param {string} databaseUrl @param {string} folder @returns {Promise<Subject[]>} */
async function subjectsOf(servers, databaseUrl, folder) {
  const names = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api'];
  const ports = await freePorts(names.length * 2);
  const keyFile = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const deviceCa = await deviceCaFiles(folder);
  return names.map((name, index) => {
    const [port = 0, adminPort = 0] = ports.slice(index * 2);
    return {
      name,
      port,
      command: [join(root, `apps/${name}/dist/main.js`)],
      firstUrl: `http://127.0.0.1:${adminPort}/readyz`,
      env: {
        ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) },
        ...{ DATABASE_URL: databaseUrl, DATABASE_POOL_MAX: POOL, REDIS_URL: servers.TEST_REDIS_URL },
        ...{ BASE_URL: 'http://base.test', RUNTIME_URL: 'http://runtime.test', PROMPT_API_URL: 'http://prompt.test' },
        ...deviceCa,
        ...{ SIGNING_KEY_FILE: keyFile, FILES_DIR: folder, JOBS_OWNER: USER },
        ...{ RATE_LIMIT_MULTIPLIER: '1000000', SECRETS_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}` },
      },
    };
  });
}

/** @returns {Promise<Subject>} */
async function helloSubject() {
  const [port = 0] = await freePorts(1);
  const command = [join(root, 'bench/peers/express-hello.mjs'), String(port)];
  return { name: 'express hello', command, env: {}, port, firstUrl: `http://127.0.0.1:${port}/` };
}

/** @param {Subject} subject @param {string[]} [enter] prefix of the command */
async function start({ name, command, env, firstUrl }, enter = []) {
  const began = performance.now();
  const [program = '', ...args] = [...enter, process.execPath, ...command];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  while (!(await fetch(firstUrl).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await delay(5);
  }
  return {
    pid: child.pid ?? 0,
    milliseconds: performance.now() - began,
    async stop() {
      const gone = once(child, 'exit');
      kill();
      await gone;
      process.off('exit', kill);
    },
  };
}

/**
 * Returns a typical request to the service.
 *
 * @param {Subject} subject @param {import('../installation.mjs').Installation} installation @returns {Promise<Asked>}
 */
async function askedOf({ name }, { apiKey, databaseUrl }) {
  const bearer = { authorization: `Bearer ${apiKey}` };
  if (name === 'platform-api') return { method: 'GET', path: '/api/v1/skills?per_page=20', headers: bearer };
  if (name === 'prompt-api') return { method: 'GET', path: '/v1/prompt', headers: { 'api-key': apiKey } };
  if (name === 'admin-auth') return { method: 'GET', path: '/admin/login', headers: { host: 'base.test' } };
  const args = ['clients', 'create', '--user', USER, '--name', 'bench'];
  const { client_id, client_secret } = await operator(databaseUrl, args);
  const body = String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path: '/oauth/token', headers, body };
}

/**
 * Measures the memory of a service in MiB. Where this machine can limit memory, the service has the limit of its container, and is killed when
 * it exceeds the limit.
 *
 * @param {Subject} subject
 * @param {Asked} asked
 * @param {number} milliseconds of the load
 */
async function memoryOfOne(subject, asked, milliseconds) {
  const limitMiB = limitOf(subject.name);
  const group = limitMemory(subject.name, limitMiB * 2 ** 20);
  const { pid, stop } = await start(subject, group?.enter);
  await delay(IDLE_MS);
  const idle = memoryOf(pid, 'VmRSS');
  const requests = await load(subject.port, asked, milliseconds);
  const peak = memoryOf(pid, 'VmHWM');
  await delay(IDLE_MS);
  const after = memoryOf(pid, 'VmRSS');
  await stop();
  group?.remove();
  return {
    'idle MiB': idle,
    'peak MiB': peak,
    'after MiB': after,
    'limit MiB': group === undefined ? NaN : limitMiB,
    'requests per second': (requests * 1_000) / milliseconds,
  };
}

/**
 * Sends requests from `AT_ONCE` clients; each sends its next request after an answer. Returns the number of answers.
 *
 * @param {number} port @param {Asked} asked @param {number} milliseconds
 */
async function load(port, asked, milliseconds) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE });
  const until = performance.now() + milliseconds;
  let requests = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) {
        const { statusCode, body } = await pool.request(asked);
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`${asked.path}: ${statusCode} ${text.slice(0, 300)}`);
        requests += 1;
      }
    }),
  );
  await pool.close();
  return requests;
}

/** Returns the memory limit of the service's container, in MiB. @param {string} name */
function limitOf(name) {
  const file = readFileSync(join(root, `k8s/areas/${name}/base/deployment.yaml`), 'utf8');
  const [deployment] = parseAllDocuments(file).map((document) => document.toJS());
  const [, number, unit] =
    /^(\d+)(Mi|Gi)$/.exec(deployment.spec.template.spec.containers[0].resources.limits.memory) ?? [];
  return Number(number) * (unit === 'Gi' ? 1024 : 1);
}
