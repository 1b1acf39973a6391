// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {number} pid of the process that does the work
 * @property {() => Promise<void>} stop
 */

const READY_MS = 120_000;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the user and system time that a process has used so far, in microseconds. @param {number} pid */
export function cpuOf(pid) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** @param {number} pid @param {'VmRSS' | 'VmHWM'} kind current or peak memory @returns the memory in MiB */
export function memoryOf(pid, kind) {
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/**
 * Starts a program that ends with this process, and waits until it listens.
 *
 * @param {string[]} command @param {number} port
 * @param {{ env?: Record<string, string>, cwd?: string | undefined }} [options]
 * @returns {Promise<Server>}
 */
export async function startServer([program = '', ...args], port, { env = {}, cwd } = {}) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-2_000)));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const server = {
    port,
    pid: Number(child.pid),
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      kill();
      await gone;
    },
  };
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await delay(30)) {
    if (await isOpen(port)) return server;
    if (child.exitCode !== null) throw new Error(`${args[0] ?? program} ended with ${child.exitCode}: ${said}`);
  }
  await server.stop();
  throw new Error(`${args[0] ?? program} does not listen on port ${port}: ${said}`);
}

/** Starts a program of this folder with the port as its first argument. @param {string} name @param {number} port @param {string[]} args */
export const startProgram = (name, port, ...args) =>
  startServer([process.execPath, `${import.meta.dirname}/${name}.mjs`, String(port), ...args], port, { cwd: tmpdir() });

/** @param {number} port */
async function isOpen(port) {
  const socket = connect(port, '127.0.0.1');
  const open = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return open;
}
