// @ts-check
import { moduleOfPeer } from './peers.mjs';
import { cpuOf } from './processes.mjs';

/**
 * @typedef {object} Load
 * @property {string} url origin of the server
 * @property {number} connections
 * @property {number} [seconds] duration; without it, `amount` is required
 * @property {number} [amount] number of requests
 * @property {Asked[]} asked sent in turn on every connection
 * @property {number} [perSecond] requests that all connections together send in a second; by default each connection sends its next request
 *   when the previous one is answered
 * @property {number[]} [allowed] statuses other than 2xx that do not make the round void
 * @property {(client: any) => void} [setupClient] of autocannon
 *
 * @typedef {{ method: string, path: string | (() => string), headers?: Record<string, string>, body?: string | (() => string) }} Asked
 * @typedef {{ requests: number, ok: number, seconds: number, p50: number, p99: number, statuses: Record<string, number> }} Loaded
 */

/** Thrown for a void round: some answers were not 2xx, so the figures of the round do not measure the work of the row. */
export class VoidRound extends Error {}

/**
 * Measures one row. A void round is stored as the reason why the row has no figures, and the other rows are still measured.
 *
 * @param {import('./run.mjs').Outcome} outcome @param {string} row @param {() => Promise<void>} measure
 */
export async function unlessVoid({ rows }, row, measure) {
  try {
    await measure();
  } catch (error) {
    if (!(error instanceof VoidRound)) throw error;
    rows[row] = { reason: `void: ${error.message}` };
  }
}

/** Sends requests with autocannon. @param {Load} load @returns {Promise<Loaded>} @throws {VoidRound} when the round is void */
export async function load({ url, connections, seconds, amount, asked, perSecond, allowed = [], setupClient }) {
  const { default: autocannon } = await import(moduleOfPeer('autocannon'));
  const running = autocannon({
    ...{ url, connections, timeout: 30, setupClient },
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(perSecond !== undefined && { overallRate: Math.round(perSecond), ignoreCoordinatedOmission: true }),
    requests: asked.map(({ method, path, headers, body }) => ({
      method,
      headers,
      path: typeof path === 'string' ? path : path(),
      ...(typeof body === 'string' && { body }),
      ...((typeof path !== 'string' || typeof body === 'function') && {
        setupRequest: (/** @type {object} */ request) => ({
          ...request,
          path: typeof path === 'string' ? path : path(),
          ...(body !== undefined && { body: typeof body === 'string' ? body : body() }),
        }),
      }),
    })),
  });
  const result = await untilCrash(running);
  /** @type {Record<string, number>} */
  const statuses = {};
  for (const [status, { count }] of Object.entries(result.statusCodeStats ?? {})) statuses[status] = count;
  const refused = Object.keys(statuses).filter(
    (status) => !status.startsWith('2') && !allowed.includes(Number(status)),
  );
  const failed = result.errors + result.timeouts;
  if (refused.length > 0 || failed > 0 || result['2xx'] === 0) {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    throw new VoidRound(`answers of ${url}: ${[...counts, `${failed} failures`].join(', ')} in ${result.duration} s`);
  }
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const { p50, p99 } = result.latency;
  return { requests, ok: result['2xx'], seconds: result.duration, p50, p99, statuses };
}

/**
 * Rejects when autocannon crashes. autocannon throws an uncaught exception when a server sends an answer without a request.
 *
 * @param {Promise<any>} running @returns {Promise<any>} @throws {VoidRound} when autocannon crashes
 */
async function untilCrash(running) {
  const crash = Promise.withResolvers();
  const onCrash = (/** @type {Error} */ error) => crash.reject(new VoidRound(`autocannon failed: ${error.message}`));
  process.once('uncaughtException', onCrash);
  return Promise.race([running, crash.promise]).finally(() => process.off('uncaughtException', onCrash));
}

/**
 * Measures the CPU time and the throughput of a server under a load.
 *
 * @param {number[]} pids processes that do the server's work @param {Load} options
 */
export async function measureLoad(pids, options) {
  const cpu = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const before = cpu();
  const loaded = await load(options);
  return { ...loaded, cpu: (cpu() - before) / loaded.requests, perSecond: loaded.requests / loaded.seconds };
}

/** Returns one of the values at random. @template Value @param {Value[]} values @returns {Value} */
export const anyOf = (values) => /** @type {Value} */ (values[Math.floor(Math.random() * values.length)]);
