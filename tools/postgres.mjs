// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePorts, isFree } from './ports.mjs';
import { postgresAccount } from './postgres/account.mjs';
import { binariesFor } from './postgres/binaries.mjs';
import { dataFolderFor, existingDataFolder } from './postgres/data-folder.mjs';
import { runningPostmaster } from './postgres/postmaster.mjs';
import { hasEnded, isAlive, signal } from './process-state.mjs';

/** Folder for files that the user `postgres` must reach when the checkout is in a folder that only root may enter. */
const SHARED_FOLDER = '/var/lib/millwright';
const START_MS = 30_000;

const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
};

/** Settings for tests: several times faster, but a crash of the machine loses the data. */
const forgetful = {
  max_connections: '500',
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '256MB', jit: 'off' },
};

/** Options of initdb for tests. Passwords are hashed in one round, because the default of 4,096 rounds costs clients a millisecond per connection. */
const FORGETFUL_INITDB = ['--no-sync', '--set=scram_iterations=1'];

/**
 * @typedef {object} Postgres
 * @property {string} url superuser, maintenance database
 * @property {number} pid
 * @property {() => Promise<void>} stop waits until the last process has ended and the data are on disk
 * @property {() => void} kill ends the server at once; it recovers at the next start
 */

/**
 * Starts PostgreSQL 18 on 127.0.0.1 with its data in `dataFolder` (created when missing), or uses the server that already runs on this
 * folder. The server does not end with this process and does not receive the terminal's Ctrl-C: call `stop`. Its password is kept in
 * `<dataFolder>-password` and its log in `logFile`.
 *
 * @param {{ dataFolder: string, logFile: string, port?: number, durable?: boolean, settings?: Record<string, string> }} options
 *   `port` has no effect on a server that already runs. `settings` are server parameters in addition to those in this file
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ dataFolder: wanted, logFile, port, durable = true, settings = {} }) {
  const account = postgresAccount();
  const dataFolder = realpathSync(dataFolderFor(wanted, account, SHARED_FOLDER));
  const binaries = () => binariesFor(account, SHARED_FOLDER);
  const password = passwordOf(wanted);
  if (!existsSync(join(dataFolder, 'PG_VERSION'))) initialise(binaries(), dataFolder, password, durable, account);

  const running = runningPostmaster(dataFolder);
  const [free = 0] = await freePorts(1);
  const usedPort = running?.port || (port && (await isFree(port)) ? port : free);
  const url = `postgresql://postgres:${password}@127.0.0.1:${usedPort}/postgres`;
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const launch = () =>
    spawnServer(binaries(), dataFolder, usedPort, { ...(durable ? {} : forgetful), ...settings }, logFile, account);
  const pid = await untilReady(url, running?.pid ?? launch(), launch, logFile);
  return {
    url,
    pid,
    stop: () => stopServer(pid),
    kill: () => signal(pid, 'SIGQUIT'),
  };
}

/** Stops the server that a killed start left running on a data folder. @param {string} wanted */
export async function stopRunningPostgres(wanted) {
  const running = runningPostmaster(existingDataFolder(wanted));
  if (running) await stopServer(running.pid);
}

/** @param {number} pid */
async function stopServer(pid) {
  signal(pid, 'SIGINT');
  if (await hasEnded(pid, 30_000)) return;
  signal(pid, 'SIGQUIT');
  await hasEnded(pid, 10_000);
}

/** @param {string} wanted */
function passwordOf(wanted) {
  const file = `${wanted}-password`;
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

/**
 * Creates the data folder. Text sorts by code point and folds case by Unicode's rules, on every machine alike.
 *
 * @param {string} binaries @param {string} dataFolder @param {string} password @param {boolean} durable
 * @param {import('./postgres/account.mjs').Account} account
 */
function initialise(binaries, dataFolder, password, durable, account) {
  const args = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8'];
  args.push(
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : FORGETFUL_INITDB),
  );
  // A killed initdb leaves a partial folder that the next initdb refuses.
  for (const half of readdirSync(dataFolder)) {
    rmSync(join(dataFolder, half), { recursive: true });
  }
  const passwordFile = join(tmpdir(), `millwright-${randomBytes(12).toString('hex')}`);
  writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  args.push(`--pwfile=${passwordFile}`, `--pgdata=${dataFolder}`);
  const { status, stderr, error } = spawnSync(join(binaries, 'initdb'), args, {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`PostgreSQL could not make its data folder: ${error?.message ?? stderr}`);
}

/**
 * @param {string} binaries @param {string} dataFolder @param {number} port @param {Record<string, string>} settings @param {string} logFile
 * @param {import('./postgres/account.mjs').Account} account
 */
function spawnServer(binaries, dataFolder, port, settings, logFile, account) {
  const options = Object.entries({ ...common, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a', 0o600);
  const server = spawn(join(binaries, 'postgres'), ['-D', dataFolder, '-p', String(port), ...options], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  server.on('error', () => undefined);
  server.unref();
  return server.pid ?? 0;
}

/**
 * Waits until the server answers. A server that dies while it starts is started again, because after `kill -9` the last children of the old server
 * hold its shared memory for a moment, so that a new server cannot start.
 *
 * @param {string} url @param {number} first @param {() => number} launch @param {string} logFile
 * @returns {Promise<number>} the pid of the server that answers
 */
async function untilReady(url, first, launch, logFile) {
  let pid = first;
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(50)) {
    if (await answers(url)) return pid;
    if (isAlive(pid)) continue;
    await sleep(500);
    pid = launch();
  }
  signal(pid, 'SIGQUIT');
  throw new Error(
    `PostgreSQL did not start; its last words:\n${readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n')}`,
  );
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
