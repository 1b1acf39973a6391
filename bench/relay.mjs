// @ts-check
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../tools/workspace.mjs';
import { freePort, operator, startInstallation, startService, USER } from './installation.mjs';

/** @typedef {{ way: string, pid: number, url: string, headers: Record<string, string> }} Way */
/** @typedef {{ way: Way, method: string, cpu: number, requests: number, times: number[] }} Case */

const ROUNDS = 6;
const ONE_BY_ONE = 150;
const AT_ONCE = 16;
const BURST = 480;
/** Linux counts a process's time in hundredths of a second. */
const TICK_US = 10_000;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const PARAMS = { 'tools/list': {}, 'tools/call': { name: 'echo', arguments: { said: 'Hello' } } };

/** Goal P11: what a request costs through the relay and through a proxy made of the SDK's client, both of the modern era. @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers */
export async function measureRelay(servers) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const [upstreamPort, proxyPort, port, adminPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}/mcp`;
  const upstream = start('relay-upstream', String(upstreamPort));
  await untilAnswering(upstreamUrl);
  const proxy = start('relay-proxy', String(proxyPort), upstreamUrl);
  await untilAnswering(`http://127.0.0.1:${proxyPort}`);
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
    await registerServer(installation, upstreamUrl);
    const headers = { authorization: `Bearer ${await newToken(installation.databaseUrl, runtimeUrl)}` };
    const ways = [
      { way: 'directly', pid: upstream.pid ?? 0, url: upstreamUrl, headers: {} },
      { way: 'SDK client proxy', pid: proxy.pid ?? 0, url: `http://127.0.0.1:${proxyPort}/mcp`, headers: {} },
      { way: 'relay', pid: runtime.pid, url: `${runtimeUrl}/api/v1/mcp/bench/mcp`, headers },
    ];
    return await measure(ways);
  } finally {
    await runtime.stop();
    await installation.stop();
    upstream.kill('SIGKILL');
    proxy.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
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
      // The first round warms caches and compilers.
      if (round === 0) continue;
      one.times.push(...times);
      one.cpu += cpuOf(one.way.pid) - before;
      one.requests += BURST;
    }
  agent.destroy();
  return cases.map(({ way, method, cpu, requests, times }) => {
    const direct = cases.find((one) => one.method === method)?.times ?? [];
    return {
      method,
      way: way.way,
      'CPU µs a request': Math.round(cpu / requests),
      'p50 ms': Number(p50(times).toFixed(2)),
      'added p50 ms': Number((p50(times) - p50(direct)).toFixed(2)),
    };
  });
}

/** @param {number[]} times */
const p50 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;

/** Of the user and of the system, in microseconds. @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** @param {Agent} agent @param {Case} asked @returns {Promise<number>} */
function timeOf(agent, { way, method }) {
  const params = PARAMS[/** @type {keyof typeof PARAMS} */ (method)];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
  const headers = {
    ...way.headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' && { 'mcp-name': 'echo' }),
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

/** A program of this folder, which ends with this one. @param {string} name @param {string[]} args */
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

/** @param {import('./installation.mjs').Installation} installation @param {string} upstream */
async function registerServer({ url, apiKey }, upstream) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'bench', url: upstream });
  const { id } = await (await fetch(`${url}/api/v1/mcp/servers`, { method: 'POST', headers, body })).json();
  for (let n = 0; n < 600; n += 1, await delay(50)) {
    const seen = await (await fetch(`${url}/api/v1/mcp/servers/${id}`, { headers })).json();
    if (seen.tools_count === 1) return;
  }
  throw new Error('the MCP server was not looked at');
}

/** @param {string} databaseUrl @param {string} runtimeUrl @returns {Promise<string>} */
async function newToken(databaseUrl, runtimeUrl) {
  const { client_id, client_secret } = await operator(databaseUrl, [
    'clients',
    'create',
    '--user',
    USER,
    '--name',
    'bench',
  ]);
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return (await (await fetch(`${runtimeUrl}/oauth/token`, { method: 'POST', body })).json()).access_token;
}
