import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { testServer } from './config.js';
import { freePort } from './ports.js';

/** The address of the Redis that all tests of a run share. Each test uses its own keys. */
export function redisUrl(): string {
  return testServer('TEST_REDIS_URL');
}

export interface RedisServer {
  url: string;
  port: number;
  pid: number;
  /** Freezes the server (SIGSTOP): connections stay open without answers. */
  pause: () => void;
  resume: () => void;
  /** Ends the server immediately, even while it is paused. May be called again. */
  stop: () => Promise<void>;
}

/**
 * Starts a Redis that a test may freeze and kill. `port`: the port of a Redis that was stopped before. `more`: further
 * arguments of redis-server.
 */
export async function startRedis(port?: number, more: readonly string[] = []): Promise<RedisServer> {
  const usedPort = port ?? (await freePort());
  return startServer(usedPort, ['--port', String(usedPort), '--save', '', '--appendonly', 'no', ...more]);
}

/** Starts a Sentinel with this configuration file. The Sentinel writes changes to the file. */
export async function startSentinel(configFile: string): Promise<RedisServer> {
  const port = await freePort();
  return startServer(port, [configFile, '--sentinel', '--port', String(port)]);
}

async function startServer(port: number, args: readonly string[]): Promise<RedisServer> {
  const server = spawn('redis-server', [...args, '--bind', '127.0.0.1'], { stdio: 'ignore', cwd: '/' });
  const ended = once(server, 'exit');
  const kill = () => void server.kill('SIGKILL');
  process.once('exit', kill);
  await Promise.race([
    untilAccepting(port),
    ended.then(() => {
      throw new Error('redis-server ended while it started');
    }),
  ]);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: server.pid ?? 0,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}

async function untilAccepting(port: number): Promise<void> {
  while (!(await accepts(port))) await sleep(20);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
