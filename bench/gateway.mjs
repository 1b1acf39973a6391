// @ts-check
import { request } from 'node:http';
import { once } from 'node:events';
import { cpuOf, memoryOf, startGateway, startNginx, startUpstream } from './gateway/servers.mjs';
import { load, median } from './gateway/load.mjs';

/** @typedef {import('./gateway/servers.mjs').Server} Server */

const CLIENTS = 64;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const UPLOADS = 3;
const GIBIBYTE = 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024);

/** The cost of the gateway, compared with one nginx worker and with no gateway. */
export async function measureGateway() {
  const upstream = await startUpstream();
  const gateway = await startGateway(upstream.port);
  const nginx = await startNginx(upstream.port);
  try {
    for (const { port } of [gateway, nginx]) await load(port, { clients: CLIENTS, milliseconds: 2_000 });
    return {
      throughput: await besideNginx(gateway, nginx),
      added: await besideDirect(gateway, upstream, nginx),
      upload: await uploads(upstream),
    };
  } finally {
    await Promise.all([nginx, gateway, upstream].map((server) => server.stop()));
  }
}

/** Goal P6: CPU time and throughput beside one nginx worker. @param {Server} gateway @param {Server} nginx */
async function besideNginx(gateway, nginx) {
  /** @type {{ cpu: number[], perSecond: number[] }[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [await measureOne(gateway), await measureOne(nginx)];
    rounds.push({ cpu: [a.cpu, b.cpu], perSecond: [a.perSecond, b.perSecond] });
  }
  const at = (/** @type {'cpu' | 'perSecond'} */ kind, /** @type {number} */ index) =>
    median(rounds.map((round) => round[kind][index] ?? 0));
  const ratio = (/** @type {'cpu' | 'perSecond'} */ kind) =>
    median(rounds.map((round) => (round[kind][0] ?? 0) / (round[kind][1] ?? 1)));
  return {
    'gateway, CPU µs a request': at('cpu', 0),
    'nginx, CPU µs a request': at('cpu', 1),
    'CPU, times nginx': ratio('cpu'),
    'gateway, requests a second': at('perSecond', 0),
    'nginx, requests a second': at('perSecond', 1),
    'throughput, of nginx': ratio('perSecond'),
  };
}

/** @param {Server} server */
async function measureOne({ port, pid }) {
  const before = cpuOf(pid);
  const { requests, seconds } = await load(port, { clients: CLIENTS, milliseconds: ROUND_MS });
  return { cpu: (cpuOf(pid) - before) / requests, perSecond: requests / seconds };
}

/**
 * Goal P7: latencies beside nginx and without a gateway, in milliseconds.
 *
 * @param {Server} gateway
 * @param {Server} upstream
 * @param {Server} nginx
 */
async function besideDirect(gateway, upstream, nginx) {
  /** @type {Record<string, number[]>} */
  const p50 = { gateway: [], direct: [], nginx: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, { port }] of Object.entries({ gateway, direct: upstream, nginx }))
      p50[name]?.push(median((await load(port, { clients: 1, milliseconds: 1_000 })).latencies));
  const added = (/** @type {string} */ name) =>
    median((p50[name] ?? []).map((value, round) => value - (p50['direct']?.[round] ?? 0)));
  const events = [];
  const firstBytes = [];
  for (let n = 0; n < 20; n += 1) {
    events.push(await firstEvent(gateway.port));
    firstBytes.push(await firstByte(gateway.port));
  }
  return {
    'gateway adds, p50': added('gateway'),
    'nginx adds, p50': added('nginx'),
    'first event, p50': median(events),
    'first byte of an upload, p50': median(firstBytes),
  };
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

/** Milliseconds from the first byte's sending to its arrival at the service. @param {number} port */
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

/**
 * Goal P7: MiB by which an upload of 1 GiB raises the memory of a gateway that has served other requests before.
 *
 * @param {Server} upstream
 */
async function uploads(upstream) {
  const more = [];
  for (let round = 0; round < UPLOADS; round += 1) {
    const gateway = await startGateway(upstream.port);
    await load(gateway.port, { clients: CLIENTS, milliseconds: ROUND_MS });
    more.push(await upload(gateway));
    await gateway.stop();
  }
  return { 'more at its peak, MiB, each': more, 'more at its peak, MiB': median(more) };
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
