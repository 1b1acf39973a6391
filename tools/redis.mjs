// @ts-check
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram } from './ensure-program.mjs';
import { freePorts } from './ports.mjs';
import { hasEnded, isAlive, signal } from './process-state.mjs';

/**
 * Makes sure that `redis-server` is on PATH.
 *
 * @throws {Error} that names the package to install, when the program is missing and cannot be installed
 */
export const ensureRedis = () =>
  ensureProgram({ program: 'redis-server', from: 'redis-server', wantedBy: 'The tests need Redis' });

/**
 * Starts a Redis on a free port of 127.0.0.1 that stores nothing on disk. It ends with `stop`, or with this process.
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
