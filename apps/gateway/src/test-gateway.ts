import { EventEmitter, once } from 'node:events';
import {
  createServer,
  request,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { renderers } from '@millwright/errors';
import { createLogger, createMetrics, startService } from '@millwright/http/process';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createProxy, type AreaTargets, type Proxy } from './proxy.js';

/** A gateway for tests, in this process, in front of services that a test starts. */

export const hosts = { base: 'platform.test:8080', runtime: 'runtime.test:8081', prompt: 'prompt.test' } as const;

/** An address that refuses connections: a privileged port on which nothing listens. */
export const unreachable = 'http://127.0.0.1:1';

const silent = { service: 'test', version: '0', level: 'silent' };

export interface TestServer {
  port: number;
  url: string;
  stop: () => Promise<void>;
}

export async function startGateway(targets: Partial<AreaTargets>, env: NodeJS.ProcessEnv = {}): Promise<TestServer> {
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    BASE_URL: `http://${hosts.base}`,
    RUNTIME_URL: `http://${hosts.runtime}`,
    PROMPT_API_URL: `http://${hosts.prompt}`,
    ADMIN_AUTH_TARGETS: unreachable,
    PLATFORM_API_TARGETS: unreachable,
    RUNTIME_API_TARGETS: unreachable,
    PROMPT_API_TARGETS: unreachable,
    SHUTDOWN_ANNOUNCE_MS: '0',
    ...env,
  });
  const proxy = createProxy({
    targets: {
      admin: targets.admin ?? config.ADMIN_AUTH_TARGETS,
      platform: targets.platform ?? config.PLATFORM_API_TARGETS,
      runtime: targets.runtime ?? config.RUNTIME_API_TARGETS,
      prompt: targets.prompt ?? config.PROMPT_API_TARGETS,
    },
    idleTimeoutMs: config.UPSTREAM_IDLE_TIMEOUT_MS,
    logger: createLogger(silent),
  });
  const app = createApp({ config, proxy, logger: createLogger(silent), metrics: createMetrics(silent) });
  return runInProcess(app, config, proxy);
}

/** Starts a service that stops like the real services: before it ends, it answers "not ready" for a while. */
export function startReplica(app: RequestListener, port = 0): Promise<TestServer> {
  return runInProcess(app, {
    HOST: '127.0.0.1',
    PORT: port,
    ADMIN_PORT: 0,
    SHUTDOWN_ANNOUNCE_MS: 1_500,
    SHUTDOWN_GRACE_MS: 5_000,
  });
}

async function runInProcess(
  app: RequestListener,
  config: Parameters<typeof startService>[0]['config'],
  proxy?: Proxy,
): Promise<TestServer> {
  const signals = new EventEmitter();
  const exited = Promise.withResolvers<number>();
  const { port } = await startService({
    name: 'test',
    config,
    app,
    renderClientError: renderers.platform,
    logger: createLogger(silent),
    metrics: createMetrics(silent),
    ready: () => Promise.resolve(undefined),
    webSockets: proxy !== undefined,
    onDrain: () => proxy?.closeWebSockets(),
    close: () => {
      proxy?.close();
      return Promise.resolve();
    },
    signals,
    exit: exited.resolve,
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      signals.emit('SIGTERM');
      await exited.promise;
    },
  };
}

/** Starts a service that stops at once and cuts every connection. */
export async function startUpstream(app: RequestListener): Promise<TestServer> {
  const server = createServer({ keepAliveTimeout: 65_000 }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface Sent {
  host?: string;
  path?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  agent?: Agent;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export async function send(
  gateway: TestServer,
  { host = hosts.base, path = '/', headers, body, ...rest }: Sent,
): Promise<Answer> {
  const outgoing = request({
    host: '127.0.0.1',
    port: gateway.port,
    path,
    headers: { Host: host, ...headers },
    ...rest,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await text(incoming) };
}

/** Writes the bytes. @returns the bytes received until the gateway closes the connection or sends nothing for a while */
export function sendRaw(gateway: TestServer, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
      socket.setTimeout(500);
    });
    // Waits longer for the first byte than for later bytes, because a busy machine may answer late.
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
