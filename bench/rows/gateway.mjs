// @ts-check
import { once } from 'node:events';
import { request } from 'node:http';
import { load } from '../gateway/load.mjs';
import { startGateway, startNginx, startUpstream } from '../gateway/servers.mjs';
import { median } from '../median.mjs';
import { asMissing } from '../peers.mjs';
import { cpuOf, memoryOf } from '../processes.mjs';
import { inRounds, ratios, roundsTable, valuesOf } from '../rounds.mjs';

/** @typedef {import('../processes.mjs').Server} Server */
/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const CLIENTS = 64;
const ONE_CLIENT_MS = 1_000;
const FIRST_ONES = 20;
const GIBIBYTE = 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024);

/**
 * Measures goals P6 and P7: the cost of the gateway, compared with one nginx worker and with requests that go directly to the service.
 *
 * @param {Context} context @returns {Promise<Outcome>}
 */
export async function measureGateway(context) {
  const upstream = await startUpstream();
  const gateway = await startGateway(upstream.port);
  const nginx = await asMissing(startNginx(upstream.port));
  /** @type {Outcome} */
  const outcome = { rows: {}, tables: {} };
  try {
    if (context.wants('P6')) {
      if ('reason' in nginx) outcome.rows['P6'] = nginx;
      else await besideNginx(context, gateway, nginx, outcome);
    }
    if (context.wants('P7')) await besideDirect(context, gateway, upstream, outcome);
    return outcome;
  } finally {
    await Promise.all([gateway, upstream, ...('reason' in nginx ? [] : [nginx])].map((server) => server.stop()));
  }
}

/**
 * Measures goal P6: CPU time and throughput, compared with one nginx worker.
 *
 * @param {Context} context @param {Server} gateway @param {Server} nginx @param {Outcome} outcome
 */
async function besideNginx({ rounds: count, seconds }, gateway, nginx, outcome) {
  const measure = async (/** @type {Server} */ { port, pid }) => {
    const before = cpuOf(pid);
    const { requests, seconds: took } = await load(port, { clients: CLIENTS, milliseconds: seconds * 1_000 });
    return { cpu: (cpuOf(pid) - before) / requests, perSecond: requests / took };
  };
  const rounds = await inRounds({ gateway: () => measure(gateway), nginx: () => measure(nginx) }, count);
  outcome.rows['P6'] = {
    cpu: ratios(rounds, 'cpu', 'gateway', 'nginx'),
    perSecond: ratios(rounds, 'perSecond', 'gateway', 'nginx'),
  };
  outcome.tables['P6: gateway, 64 clients'] = roundsTable(rounds, ['cpu', 'perSecond']);
}

/**
 * Measures goal P7: the time and memory that requests need in addition when they go through the gateway.
 *
 * @param {Context} context
 * @param {Server} gateway
 * @param {Server} upstream
 * @param {Outcome} outcome
 */
async function besideDirect({ rounds: count }, gateway, upstream, outcome) {
  const p50 = async (/** @type {Server} */ { port }) =>
    median((await load(port, { clients: 1, milliseconds: ONE_CLIENT_MS })).latencies);
  const rounds = await inRounds(
    {
      gateway: async () => ({
        p50: await p50(gateway),
        event: await medianOf(() => firstEvent(gateway.port)),
        byte: await medianOf(() => firstByte(gateway.port)),
        memory: await memoryOfUpload(upstream),
      }),
      direct: async () => ({ p50: await p50(upstream) }),
    },
    count,
  );
  const [through, direct] = [valuesOf(rounds, 'p50', 'gateway'), valuesOf(rounds, 'p50', 'direct')];
  outcome.rows['P7'] = {
    added: through.map((value, round) => value - (direct[round] ?? NaN)),
    event: valuesOf(rounds, 'event', 'gateway'),
    byte: valuesOf(rounds, 'byte', 'gateway'),
    memory: valuesOf(rounds, 'memory', 'gateway'),
  };
  outcome.tables['P7: gateway, one client'] = roundsTable(rounds, ['p50', 'event', 'byte', 'memory']);
}

/** @param {() => Promise<number>} measure */
async function medianOf(measure) {
  const values = [];
  for (let n = 0; n < FIRST_ONES; n += 1) values.push(await measure());
  return median(values);
}

/** @param {number} port @param {string} method @param {string} path */
const open = (port, method, path) =>
  request({ port, host: '127.0.0.1', method, path, headers: { Host: 'gateway.test' }, agent: false });

/** @param {number} port */
async function firstEvent(port) {
  const began = performance.now();
  const outgoing = open(port, 'GET', '/api/v1/events').end();
  const [answer] = await once(outgoing, 'response');
  await once(answer, 'data');
  outgoing.destroy();
  return performance.now() - began;
}

/** Measures the milliseconds from sending the first byte of an upload to the arrival of this byte at the service. @param {number} port */
async function firstByte(port) {
  const outgoing = open(port, 'POST', '/api/v1/skills');
  const answered = once(outgoing, 'response');
  const began = Date.now();
  outgoing.write('first');
  setTimeout(() => outgoing.end('last'), 100);
  const [answer] = await answered;
  const { firstAt } = JSON.parse(String(Buffer.concat(await answer.toArray())));
  return firstAt - began;
}

/** Measures by how many MiB an upload of 1 GiB increases the memory of a gateway that has already served other requests. @param {Server} upstream */
async function memoryOfUpload(upstream) {
  const gateway = await startGateway(upstream.port);
  await load(gateway.port, { clients: CLIENTS, milliseconds: 3 * ONE_CLIENT_MS });
  return upload(gateway).finally(() => gateway.stop());
}

/** @param {Server} gateway */
async function upload({ port, pid }) {
  const before = memoryOf(pid, 'VmHWM');
  const outgoing = open(port, 'POST', '/api/v1/skills');
  const answered = once(outgoing, 'response');
  for (let sent = 0; sent < GIBIBYTE; sent += CHUNK.length) if (!outgoing.write(CHUNK)) await once(outgoing, 'drain');
  outgoing.end();
  const [answer] = await answered;
  const { bytes } = JSON.parse(String(Buffer.concat(await answer.toArray())));
  if (bytes !== GIBIBYTE) throw new Error(`${bytes} bytes arrived`);
  return memoryOf(pid, 'VmHWM') - before;
}
