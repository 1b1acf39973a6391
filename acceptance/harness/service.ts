import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type ServiceName = 'gateway' | 'admin-auth' | 'platform-api' | 'runtime-api' | 'prompt-api';

/** One process of a built service. */
export interface Service {
  readonly name: ServiceName;
  readonly url: string;
  readonly adminUrl: string;
  /** Id of the process that was started last. */
  readonly pid: number | undefined;
  /** Returns all output of the process. */
  output(): string;
  start(): Promise<void>;
  /** Sends SIGTERM. Resolves to the exit code. */
  terminate(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

const HERE = fileURLToPath(new URL('../..', import.meta.url));

/** Time limit for the start of a process in milliseconds, long enough while other tests run. */
const READY_MS = 180_000;

/** Makes one process of a service, not started yet. @param checkout the checkout whose build is used; default: this one */
export function createService(
  name: ServiceName,
  ports: { port: number; adminPort: number },
  env: Record<string, string>,
  checkout = HERE,
): Service {
  const main = join(checkout, `apps/${name}/dist/main.js`);
  const adminUrl = `http://127.0.0.1:${ports.adminPort}`;
  let written = '';
  let child: ChildProcess | undefined;

  async function untilReady(process: ChildProcess) {
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline;) {
      await delay(50);
      if (process.exitCode !== null) break;
      const answer = await fetch(`${adminUrl}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error(`${name} did not become ready:\n${written}`);
  }

  return {
    name,
    url: `http://127.0.0.1:${ports.port}`,
    adminUrl,
    get pid() {
      return child?.pid;
    },
    output: () => written,
    async start() {
      const settings = {
        HOST: '127.0.0.1',
        PORT: String(ports.port),
        ADMIN_PORT: String(ports.adminPort),
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      };
      child = spawn(process.execPath, [main], { env: { ...settings, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => (written += chunk.toString()));
      await untilReady(child);
    },
    async terminate() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    kill: (signal) => void child?.kill(signal),
  };
}
