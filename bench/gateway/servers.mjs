// @ts-check
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../tools/ports.mjs';
import { root } from '../../tools/workspace.mjs';

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {number} pid of the process that does the work
 * @property {() => Promise<void>} stop
 */

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system time of a process so far, in microseconds. @param {number} pid */
export function cpuOf(pid) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** @param {number} pid @param {'VmRSS' | 'VmHWM'} kind now, or at most so far; in MiB */
export function memoryOf(pid, kind) {
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** @param {number} port */
async function untilOpen(port) {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(30)) {
    const socket = connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** @param {string[]} command @param {number} port @param {Record<string, string>} [env] @returns {Promise<Server>} */
async function start([program = '', ...args], port, env = {}) {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await untilOpen(port);
  return {
    port,
    pid: Number(child.pid),
    async stop() {
      process.off('exit', kill);
      const gone = once(child, 'exit');
      kill();
      await gone;
    },
  };
}

export async function startUpstream() {
  const [port = 0] = await freePorts(1);
  return start([process.execPath, join(import.meta.dirname, 'upstream.mjs'), String(port)], port);
}

/** The built gateway, as it runs in a cluster. @param {number} upstream port */
export async function startGateway(upstream, env = {}) {
  const [port = 0, adminPort] = await freePorts(2);
  const target = `http://127.0.0.1:${upstream}`;
  return start([process.execPath, join(root, 'apps/gateway/dist/main.js')], port, {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    BASE_URL: 'http://gateway.test',
    RUNTIME_URL: 'http://runtime.test',
    PROMPT_API_URL: 'http://prompt.test',
    ADMIN_AUTH_TARGETS: target,
    PLATFORM_API_TARGETS: target,
    RUNTIME_API_TARGETS: target,
    PROMPT_API_TARGETS: target,
    ...env,
  });
}

/**
 * An nginx worker that does the same as the gateway: routes by host, keeps connections, logs each request, streams.
 *
 * @param {number} upstream port
 */
export async function startNginx(upstream) {
  if (spawnSync('nginx', ['-v']).status !== 0)
    throw new Error('The figures beside nginx need it: apt-get install -y nginx-light');
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, nginxConfig(folder, port, upstream));
  // Master and worker are one process, so that its CPU time is the whole cost.
  const server = await start(['nginx', '-c', file, '-p', folder], port);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} folder @param {number} port @param {number} upstream */
const nginxConfig = (folder, port, upstream) => `
daemon off;
master_process off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log ${folder}/access.log;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  keepalive_requests 1000000000;
  client_max_body_size 0;
  upstream area { server 127.0.0.1:${upstream}; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    server_name gateway.test;
    location /api/v1 {
      proxy_pass http://area;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Request-Id $request_id;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`;
