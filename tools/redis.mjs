// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './ports.mjs';
import { hasEnded, isAlive, signal } from './process-state.mjs';

const servicePolicy = '/usr/sbin/policy-rc.d';

/** Makes sure `redis-server` is on PATH: no npm package ships one, and tests need a real one. @throws {Error} that says what to install */
export function ensureRedis() {
  const has = () => spawnSync('redis-server', ['--version']).status === 0;
  if (has()) return;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) installRedis();
  if (!has())
    throw new Error('The tests need Redis: install the package redis-server, so that `redis-server` is on PATH.');
}

/** Debian's package starts a server of its own when it is installed; the policy file tells it not to. */
function installRedis() {
  console.error('Installing redis-server (apt-get) …');
  const ours = !existsSync(servicePolicy);
  if (ours) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  try {
    spawnSync('apt-get', [...wait, 'update'], { env });
    const { status, stderr } = spawnSync('apt-get', [...wait, 'install', '-y', 'redis-server'], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) console.error(stderr);
  } finally {
    if (ours) rmSync(servicePolicy);
  }
}

/**
 * A Redis on a free port of 127.0.0.1 that keeps nothing on disk. It ends with `stop`, or with this process.
 *
 * @returns {Promise<{ url: string, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis() {
  ensureRedis();
  const [port = 0] = await freePorts(1);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: 'ignore', cwd: '/', detached: true });
  server.on('error', () => undefined);
  server.unref();
  const pid = server.pid ?? 0;
  for (const end = Date.now() + 10_000; !(await accepts(port)); await sleep(25)) {
    if (!isAlive(pid) || Date.now() > end) throw new Error('redis-server did not start');
  }
  const kill = () => signal(pid, 'SIGKILL');
  process.once('exit', kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid,
    async stop() {
      process.off('exit', kill);
      kill();
      await hasEnded(pid, 5000);
    },
  };
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
