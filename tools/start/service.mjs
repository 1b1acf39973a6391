// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, hasEnded, isAlive, signal } from '../process-state.mjs';
import { openLogFile } from './log-file.mjs';
import { isForTerminal } from './log-lines.mjs';
import { StartFailure } from './start-failure.mjs';
import { unlessFull } from './state-files.mjs';

const READY_MS = 60_000;
/** Milliseconds after which a service that does not stop is killed. They are longer than the service's own grace period. */
const STOP_MS = 35_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** A service that was ready for this number of milliseconds before it died is started again at once. */
const STEADY_MS = 1000;

/**
 * @typedef {object} Surroundings
 * @property {string} logFolder
 * @property {string} pidFolder folder with the process ids, which `stopLeftovers` reads
 * @property {(line: string) => void} say
 * @property {(name: string, pid: number) => void} [started] called each time a process has started
 */

/**
 * Makes a service that is started again with the same settings whenever it dies. It is started again at once if it was ready for some time. Otherwise
 * it is started after a pause that doubles each time, up to five seconds. The service does not receive the terminal's Ctrl-C.
 *
 * @param {import('./service-definitions.mjs').ServiceDefinition} definition
 * @param {Surroundings} surroundings
 */
export function createService({ name, main, env, adminUrl }, { logFolder, pidFolder, say, started }) {
  const pidFile = join(pidFolder, name);
  const log = openLogFile(join(logFolder, `${name}.log`), say);
  let stopping = false;
  let pid = 0;
  /** @type {Promise<string>} how the process ended */
  let ended;

  function launch() {
    const child = spawn(process.execPath, [main], {
      env,
      cwd: dirname(main),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    pid = child.pid ?? 0;
    unlessFull(() => writeFileSync(pidFile, `${pid} ${main}`, { mode: 0o600 }), say);
    ended = new Promise((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code, signalName) => resolve(signalName ?? `exit code ${code}`));
    });
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', note);
    started?.(name, pid);
  }

  /** @param {string} line */
  function note(line) {
    log.write(line);
    if (isForTerminal(line)) say(`[${name}] ${line}`);
  }

  /** @returns {Promise<string | undefined>} the reason why the service is not ready; `undefined` once it is ready */
  async function untilReady() {
    const timeout = AbortSignal.timeout(READY_MS);
    while (!(await Promise.race([ended, sleep(50)]))) {
      if (timeout.aborted) return `it was not ready after ${READY_MS / 1000} s`;
      const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      if (answer?.ok) return undefined;
    }
    return `it ended with ${await ended}`;
  }

  async function keepRunning() {
    for (let pause = 0, readySince = Date.now(); ;) {
      const end = await ended;
      if (stopping) return;
      const steady = Date.now() - readySince > STEADY_MS;
      pause = steady ? 0 : Math.min(Math.max(2 * pause, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
      say(`${name} ended with ${end}; starting it again${pause > 0 ? ` in ${pause} ms` : ''}.`);
      await sleep(pause);
      if (stopping) return;
      launch();
      readySince = Infinity;
      if ((await untilReady()) !== undefined) continue;
      readySince = Date.now();
      say(`${name} is back as process ${pid}.`);
    }
  }

  return {
    name,
    /**
     * Resolves when the service is ready.
     *
     * @throws {StartFailure} when the service ends before it is ready, or is not ready in time. The service is then not started again
     */
    async start() {
      launch();
      const reason = await untilReady();
      if (reason !== undefined)
        throw new StartFailure(`${name} did not start: ${reason}; see ${join(logFolder, `${name}.log`)}.`);
      void keepRunning();
    },
    async stop() {
      stopping = true;
      await endProcess(pid, STOP_MS);
      rmSync(pidFile, { force: true });
      await log.end();
    },
    kill() {
      stopping = true;
      if (pid > 0) signal(pid, 'SIGKILL');
    },
  };
}

/** @param {number} pid @param {number} patience milliseconds until it is killed */
async function endProcess(pid, patience) {
  if (pid === 0 || !isAlive(pid)) return;
  signal(pid, 'SIGTERM');
  if (await hasEnded(pid, patience)) return;
  signal(pid, 'SIGKILL');
  await hasEnded(pid, 5000);
}

/**
 * Ends the services that a killed start left running. A process is ended only if it still runs the same program.
 *
 * @param {string} pidFolder
 */
export async function stopLeftovers(pidFolder) {
  mkdirSync(pidFolder, { recursive: true, mode: 0o700 });
  await Promise.all(
    readdirSync(pidFolder).map(async (name) => {
      const [pid, ...main] = readFileSync(join(pidFolder, name), 'utf8').split(' ');
      if (commandLine(Number(pid)).includes(main.join(' '))) await endProcess(Number(pid), 5000);
      rmSync(join(pidFolder, name));
    }),
  );
}
