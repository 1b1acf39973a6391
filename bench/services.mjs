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
import { freePorts } from '../tools/ports.mjs';
import { deviceCaFiles } from '../tools/start/device-ca.mjs';
import { root } from '../tools/workspace.mjs';
import { median } from './gateway/load.mjs';
import { memoryOf } from './gateway/servers.mjs';
import { operator, startInstallation, USER } from './installation.mjs';
import { limitMemory } from './memory-limit.mjs';

/**
 * @typedef {{ method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string }} Asked
 * @typedef {object} Subject a program to start, and how its start is detected
 * @property {string} name
 * @property {string[]} command
 * @property {Record<string, string>} env
 * @property {number} port
 * @property {string} firstUrl answers 200 once it can do its work
 */

const STARTS = 7;
const IDLE_MS = 5_000;
const LOAD_MS = 20_000;
const AT_ONCE = 64;
/** All services share the measuring machine's PostgreSQL. */
const POOL = '10';

/**
 * Goal P14: the time of a service to its first answer, and its memory when idle, under load, and after it.
 *
 * @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers
 */
export async function measureServices(servers) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const installation = await startInstallation(servers, 'services');
  try {
    const subjects = await subjectsOf(servers, installation.databaseUrl, folder);
    const hello = await helloSubject();
    /** @type {Map<Subject, number[]>} */
    const starts = new Map([hello, ...subjects].map((subject) => [subject, []]));
    // Alternate, so that other load of the machine affects all alike.
    for (let n = 0; n < STARTS; n += 1)
      for (const [subject, times] of starts) {
        const { milliseconds, stop } = await start(subject);
        times.push(milliseconds);
        await stop();
      }
    const helloMs = median(starts.get(hello) ?? []);
    const rows = [];
    for (const subject of subjects) {
      const asked = await askedOf(subject, installation);
      const ms = median(starts.get(subject) ?? []);
      rows.push({
        service: subject.name,
        'first answer ms': Math.round(ms),
        'of express hello': Number((ms / helloMs).toFixed(1)),
        ...(await memoryOfOne(subject, asked)),
      });
    }
    return rows;
  } finally {
    await installation.stop();
    rmSync(folder, { recursive: true });
  }
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
  const command = [join(root, 'bench/express-hello.mjs'), String(port)];
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

/** A typical request of the service. @param {Subject} subject @param {import('./installation.mjs').Installation} installation @returns {Promise<Asked>} */
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
 * Memory in MiB, within the limit of the service's container where this machine can set one: beyond it the service is killed.
 *
 * @param {Subject} subject
 * @param {Asked} asked
 */
async function memoryOfOne(subject, asked) {
  const limitMiB = limitOf(subject.name);
  const group = limitMemory(subject.name, limitMiB * 2 ** 20);
  const { pid, stop } = await start(subject, group?.enter);
  await delay(IDLE_MS);
  const idle = memoryOf(pid, 'VmRSS');
  const requests = await load(subject.port, asked);
  const peak = memoryOf(pid, 'VmHWM');
  await delay(IDLE_MS);
  const after = memoryOf(pid, 'VmRSS');
  await stop();
  group?.remove();
  return {
    'idle MiB': Math.round(idle),
    'peak MiB': Math.round(peak),
    'after MiB': Math.round(after),
    'limit MiB': limitMiB,
    'limit was set': group !== undefined,
    'requests per second': Math.round((requests * 1_000) / LOAD_MS),
  };
}

/** Sends requests from `AT_ONCE` clients, as many as the service answers. @param {number} port @param {Asked} asked */
async function load(port, asked) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE });
  const until = performance.now() + LOAD_MS;
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

/** The memory limit of the container, in MiB. @param {string} name */
function limitOf(name) {
  const file = readFileSync(join(root, `k8s/areas/${name}/base/deployment.yaml`), 'utf8');
  const [deployment] = parseAllDocuments(file).map((document) => document.toJS());
  const [, number, unit] =
    /^(\d+)(Mi|Gi)$/.exec(deployment.spec.template.spec.containers[0].resources.limits.memory) ?? [];
  return Number(number) * (unit === 'Gi' ? 1024 : 1);
}
