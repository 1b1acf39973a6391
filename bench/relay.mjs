// @ts-check
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../tools/workspace.mjs';
import { freePort, newToken, startInstallation, startService } from './installation.mjs';

/** @typedef {'modern' | 'legacy'} Era */
/** @typedef {{ era: Era, way: string, pid: number, url: string, headers: Record<string, string> }} Way */
/** @typedef {{ way: Way, method: string, cpu: number, requests: number, times: number[] }} Case */

const ROUNDS = 8;
/** Number of warm-up rounds: a short run would measure the JIT compiler. */
const WARMING = 4;
const ONE_BY_ONE = 150;
const AT_ONCE = 16;
const BURST = 960;
/** Linux counts a process's time in hundredths of a second. */
const TICK_US = 10_000;

const ACCEPT = 'application/json, text/event-stream';
/** Id of the last request; ids must not repeat within a session. */
let lastId = 0;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const PARAMS = { 'tools/list': {}, 'tools/call': { name: 'echo', arguments: { words: 'Hello' } } };

/** @type {Era[]} */
const ERAS = ['modern', 'legacy'];

/**
 * Goal P11: the cost of a request through the relay and through a proxy made of the SDK's client, both of the same era.
 *
 * @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers
 */
export async function measureRelay(servers) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const rivals = [];
  for (const era of ERAS) rivals.push(await startRival(era));
  const installation = await startInstallation(servers, 'relay');
  const keyFile = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const runtimeUrl = `http://127.0.0.1:${port}`;
  const runtime = await startService('runtime-api', servers, installation.databaseUrl, {
    ...{ HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) },
    ...{ RUNTIME_URL: runtimeUrl, BASE_URL: installation.url, SIGNING_KEY_FILE: keyFile, FILES_DIR: folder },
  });
  try {
    const headers = { authorization: `Bearer ${await newToken(installation.databaseUrl, runtimeUrl)}` };
    /** @type {Way[]} */
    const ways = [];
    for (const { era, upstream, proxy } of rivals) {
      await registerServer(installation, era, upstream.url);
      const relay = { pid: runtime.pid, url: `${runtimeUrl}/api/v1/mcp/${era}/mcp`, headers };
      ways.push({ era, way: 'directly', headers: {}, ...upstream });
      ways.push({ era, way: 'SDK client proxy', headers: {}, ...proxy });
      ways.push({ era, way: 'relay', ...relay });
    }
    for (const way of ways) if (way.era === 'legacy') way.headers = { ...way.headers, ...(await openSession(way)) };
    return await measure(ways);
  } finally {
    await runtime.stop();
    await installation.stop();
    for (const rival of rivals) rival.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Starts a server of the era, and the proxy in front of it. @param {Era} era */
async function startRival(era) {
  const [upstreamPort, proxyPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${upstreamPort}/mcp`;
  const upstream = start('relay-upstream', String(upstreamPort), era);
  await untilAnswering(url);
  const proxy = start('relay-proxy', String(proxyPort), era, url);
  await untilAnswering(`http://127.0.0.1:${proxyPort}`);
  return {
    era,
    upstream: { pid: upstream.pid ?? 0, url },
    proxy: { pid: proxy.pid ?? 0, url: `http://127.0.0.1:${proxyPort}/mcp` },
    stop() {
      upstream.kill('SIGKILL');
      proxy.kill('SIGKILL');
    },
  };
}

/** Opens a session. @param {Way} way @returns {Promise<Record<string, string>>} the headers of each request in it */
async function openSession({ url, headers }) {
  const version = '2025-11-25';
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  /** @param {object} message @param {Record<string, string>} more */
  const post = (message, more) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more, accept: ACCEPT, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const opened = await post({ id: 0, method: 'initialize', params }, {});
  await opened.text();
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': version,
  };
  await (await post({ method: 'notifications/initialized' }, session)).text();
  return session;
}

/** @param {Way[]} ways */
async function measure(ways) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  /** @type {Case[]} */
  const cases = Object.keys(PARAMS).flatMap((method) =>
    ways.map((way) => ({ way, method, cpu: 0, requests: 0, times: [] })),
  );
  for (let round = 0; round < ROUNDS; round += 1)
    for (const one of cases) {
      const times = [];
      for (let n = 0; n < ONE_BY_ONE; n += 1) times.push(await timeOf(agent, one));
      const before = cpuOf(one.way.pid);
      let left = BURST;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (left-- > 0) await timeOf(agent, one);
        }),
      );
      if (round < WARMING) continue;
      one.times.push(...times);
      one.cpu += cpuOf(one.way.pid) - before;
      one.requests += BURST;
    }
  agent.destroy();
  return cases.map(({ way, method, cpu, requests, times }) => {
    const direct = cases.find((one) => one.method === method && one.way.era === way.era)?.times ?? [];
    const proxy = cases.find(
      (one) => one.method === method && one.way.era === way.era && one.way.way === 'SDK client proxy',
    );
    return {
      era: way.era,
      method,
      way: way.way,
      'CPU µs a request': Math.round(cpu / requests),
      'of the proxy': Number((cpu / (proxy?.cpu ?? NaN)).toFixed(2)),
      'p50 ms': Number(p50(times).toFixed(2)),
      'added p50 ms': Number((p50(times) - p50(direct)).toFixed(2)),
    };
  });
}

/** @param {number[]} times */
const p50 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;

/** User and system time in microseconds. @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** @param {Agent} agent @param {Case} asked @returns {Promise<number>} */
function timeOf(agent, { way, method }) {
  const params = PARAMS[/** @type {keyof typeof PARAMS} */ (method)];
  const isModern = way.era === 'modern';
  const message = {
    jsonrpc: '2.0',
    id: (lastId += 1),
    method,
    params: { ...params, ...(isModern && { _meta: META }) },
  };
  const body = JSON.stringify(message);
  const headers = {
    ...way.headers,
    accept: ACCEPT,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(isModern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
    ...(isModern && method === 'tools/call' && { 'mcp-name': 'echo' }),
  };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(way.url, { method: 'POST', agent, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      const time = performance.now() - started;
      if (response.statusCode === 200 && text.includes('echo') === (method === 'tools/list')) resolve(time);
      else reject(new Error(`${way.way} ${method}: ${response.statusCode} ${text.slice(0, 300)}`));
    });
    asked.once('error', reject).end(body);
  });
}

/** Starts a program of this folder, which ends with this process. @param {string} name @param {string[]} args */
function start(name, ...args) {
  const child = spawn(process.execPath, [join(root, `bench/${name}.mjs`), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

/** @param {string} url */
async function untilAnswering(url) {
  for (let n = 0; n < 600; n += 1, await delay(50)) if (await fetch(url).catch(() => undefined)) return;
  throw new Error(`${url} does not answer`);
}

/** @param {import('./installation.mjs').Installation} installation @param {string} name @param {string} upstream */
async function registerServer({ url, apiKey }, name, upstream) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name, url: upstream });
  const { id } = await (await fetch(`${url}/api/v1/mcp/servers`, { method: 'POST', headers, body })).json();
  for (let n = 0; n < 600; n += 1, await delay(50)) {
    const seen = await (await fetch(`${url}/api/v1/mcp/servers/${id}`, { headers })).json();
    if (seen.tools_count === 1) return;
  }
  throw new Error('the MCP server was not looked at');
}
