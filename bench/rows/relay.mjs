// @ts-check
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../tools/ports.mjs';
import { newToken, startInstallation, startService } from '../installation.mjs';
import { median } from '../median.mjs';
import { cpuOf, startProgram } from '../processes.mjs';
import { inRounds, ratios, rounded, valuesOf } from '../rounds.mjs';

/** @typedef {'modern' | 'legacy'} Era */
/** @typedef {{ era: Era, way: string, pid: number, url: string, headers: Record<string, string> }} Way */
/** @typedef {{ way: Way, method: string }} Case */
/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const ONE_BY_ONE = 150;
const AT_ONCE = 16;
/** Number of requests in a measured burst, and in a burst of the first round. With fewer requests, the JIT compiler would distort the figures. */
const [BURST, WARMING] = [1_920, 3_840];
const [DIRECTLY, PROXY, RELAY] = ['directly', 'SDK client proxy', 'relay'];

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
 * Measures goal P11: the cost of a request through the runtime API's relay, compared with a proxy that uses the SDK's client in the same era.
 *
 * @param {Context} context @returns {Promise<Outcome>}
 */
export async function measureRelay({ servers, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const [port = 0, adminPort = 0] = await freePorts(2);
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
      ways.push({ era, way: DIRECTLY, headers: {}, ...upstream });
      ways.push({ era, way: PROXY, headers: {}, ...proxy });
      ways.push({ era, way: RELAY, ...relay });
    }
    for (const way of ways) if (way.era === 'legacy') way.headers = { ...way.headers, ...(await openSession(way)) };
    return await measure(ways, rounds);
  } finally {
    await runtime.stop();
    await installation.stop();
    for (const rival of rivals) await rival.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Starts a server of the era, and the proxy in front of it. @param {Era} era */
async function startRival(era) {
  const [upstreamPort = 0, proxyPort = 0] = await freePorts(2);
  const upstream = await startProgram('peers/relay-upstream', upstreamPort, era);
  const url = `http://127.0.0.1:${upstreamPort}/mcp`;
  const proxy = await startProgram('peers/relay-proxy', proxyPort, era, url);
  return {
    era,
    upstream: { pid: upstream.pid, url },
    proxy: { pid: proxy.pid, url: `http://127.0.0.1:${proxyPort}/mcp` },
    async stop() {
      await proxy.stop();
      await upstream.stop();
    },
  };
}

/** Opens a session. @param {Way} way @returns {Promise<Record<string, string>>} headers that each request of the session needs */
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

/** @param {Way[]} ways @param {number} count @returns {Promise<Outcome>} */
async function measure(ways, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const cases = Object.keys(PARAMS).flatMap((method) => ways.map((way) => ({ way, method })));
  const measureOne = (/** @type {Case} */ one) => async (/** @type {boolean} */ isWarming) => {
    const times = [];
    for (let n = 0; n < ONE_BY_ONE; n += 1) times.push(await timeOf(agent, one));
    const burst = isWarming ? WARMING : BURST;
    const before = cpuOf(one.way.pid);
    let left = burst;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await timeOf(agent, one);
      }),
    );
    return { p50: median(times), cpu: (cpuOf(one.way.pid) - before) / burst };
  };
  const rounds = await inRounds(Object.fromEntries(cases.map((one) => [nameOf(one), measureOne(one)])), count);
  agent.destroy();
  const figuresOf = (/** @type {Case} */ one) => {
    const beside = (/** @type {string} */ way) => nameOf({ ...one, way: { ...one.way, way } });
    const direct = valuesOf(rounds, 'p50', beside(DIRECTLY));
    return {
      cpu: ratios(rounds, 'cpu', nameOf(one), beside(PROXY)),
      added: valuesOf(rounds, 'p50', nameOf(one)).map((value, round) => value - (direct[round] ?? NaN)),
    };
  };
  const calls = ways.filter(({ way }) => way === RELAY).map((way) => ({ way, method: 'tools/call' }));
  const row = calls.flatMap((one) =>
    Object.entries(figuresOf(one)).map(([figure, values]) => [`${one.way.era} ${figure}`, values]),
  );
  const table = cases.map((one) => {
    const { cpu, added } = figuresOf(one);
    const at = (/** @type {string} */ figure) => median(valuesOf(rounds, figure, nameOf(one)));
    return {
      ...{ era: one.way.era, method: one.method, way: one.way.way },
      ...{ 'CPU µs a request': rounded(at('cpu')), 'of the proxy': rounded(median(cpu)) },
      ...{ 'p50 ms': rounded(at('p50')), 'added p50 ms': rounded(median(added)) },
    };
  });
  return { rows: { P11: Object.fromEntries(row) }, tables: { 'P11: MCP relay': table } };
}

/** @param {Case} one */
const nameOf = ({ way: { era, way }, method }) => `${era} ${method} ${way}`;

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

/** @param {import('../installation.mjs').Installation} installation @param {string} name @param {string} upstream */
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
