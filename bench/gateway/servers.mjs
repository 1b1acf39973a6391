// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureProgram } from '../../tools/ensure-program.mjs';
import { freePorts } from '../../tools/ports.mjs';
import { root } from '../../tools/workspace.mjs';
import { startProgram, startServer } from '../processes.mjs';

/** @typedef {import('../processes.mjs').Server} Server */

export async function startUpstream() {
  const [port = 0] = await freePorts(1);
  return startProgram('gateway/upstream', port);
}

/** Starts the built gateway with the settings that it has in a cluster. @param {number} upstream port */
export async function startGateway(upstream, env = {}) {
  const [port = 0, adminPort] = await freePorts(2);
  const target = `http://127.0.0.1:${upstream}`;
  return startServer([process.execPath, join(root, 'apps/gateway/dist/main.js')], port, {
    env: {
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
    },
  });
}

/**
 * Starts nginx with one worker, which does the same as the gateway: it routes by host, keeps connections open, logs each request, and streams
 * answers.
 *
 * @param {number} upstream port
 */
export async function startNginx(upstream) {
  ensureProgram({ program: 'nginx', from: 'nginx-light', wantedBy: 'The figures beside nginx', ask: '-v' });
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, nginxConfig(folder, port, upstream));
  // The configuration makes nginx's master and worker one process, so that the CPU time of this process is the whole cost.
  const server = await startServer(['nginx', '-c', file, '-p', folder], port);
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
