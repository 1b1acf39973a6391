import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort, listen } from '@millwright/testing';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { until } from './until.js';

export interface StockServer {
  url: string;
  close: () => Promise<void>;
}

const programOf = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url));

/** Starts the published server-everything, which serves streamable HTTP. */
export async function startEverything(): Promise<StockServer> {
  const port = await freePort();
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) };
  const child: ChildProcess = spawn(process.execPath, [programOf('everything'), 'streamableHttp'], {
    env,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await until(async () => (await fetch(url).catch(() => undefined)) && true);
  return {
    url,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Serves a published server of the transport stdio over HTTP, with a separate process for each session. */
export async function bridge(name: string, args: string[], env: Record<string, string> = {}): Promise<StockServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const all = new Set<Transport>();

  async function start(): Promise<StdioClientTransport> {
    const stdio = new StdioClientTransport({
      command: process.execPath,
      args: [programOf(name), ...args],
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stderr: 'ignore',
    });
    all.add(stdio);
    await stdio.start();
    return stdio;
  }
  // The process of the next session is started in advance, so that the session does not wait for the start.
  let ahead = start();

  async function open(): Promise<StreamableHTTPServerTransport> {
    const stdio = await ahead;
    ahead = start();
    const http = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, http),
    });
    http.onmessage = (message) => void stdio.send(message);
    stdio.onmessage = (message) => void http.send(message).catch(() => undefined);
    http.onclose = () => void stdio.close();
    await http.start();
    return http;
  }

  const app = await listen((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && !known) response.writeHead(404).end();
    else
      void Promise.resolve(known ?? open())
        .then((http) => http.handleRequest(request, response))
        .catch(() => response.destroy());
  });
  return {
    url: `${app.url}/mcp`,
    async close() {
      await ahead;
      await Promise.all([...all].map((transport) => transport.close()));
      await app.close();
    },
  };
}
