// @ts-check
import { Agent, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * This program runs as a separate process, so that no other work delays its clock. It reads its orders as JSON from standard input, and calls
 * each area at a fixed rate, regardless of the duration of answers. It prints each area's times and failures once all requests are answered.
 *
 * @typedef {object} Order
 * @property {{ url: string, body?: object }[]} requests in turn
 * @property {string[]} credentials in turn
 * @property {number} everyMs
 * @property {number} count
 */
const agent = new Agent({ keepAlive: true });
/** Milliseconds after which a request counts as failed. */
const PATIENCE_MS = 15_000;

/** @type {Record<string, Order>} */
const orders = /** @type {never} */ (await json(process.stdin));

/** @param {Order['requests'][number]} asked @param {string} credential @returns {Promise<string | undefined>} the failure */
function call({ url, body }, credential) {
  return new Promise((resolve) => {
    const { host, port, pathname, search } = new URL(url);
    const text = body && JSON.stringify(body);
    const sent = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: text === undefined ? 'GET' : 'POST',
        headers: {
          host,
          authorization: `Bearer ${credential}`,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.resume();
        answer.once('end', () => resolve(statusCode < 300 ? undefined : `${pathname}: ${statusCode}`));
        answer.once('error', (error) => resolve(`${pathname}: ${String(error)}`));
      },
    );
    sent.once('error', (error) => resolve(`${pathname}: ${String(error)}`));
    sent.end(text);
  });
}

/**
 * @param {Order} order
 * @returns {Promise<{ milliseconds: number[], errors: string[], slowest: string }>}
 */
async function callInTurn({ requests, credentials, everyMs, count }) {
  /** @type {{ milliseconds: number, path: string, failure: string | undefined }[]} */
  const answers = [];
  const began = performance.now();
  let turn = 0;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      // Sends the due requests, including those whose time passed while this process had no core.
      for (; turn < count && began + turn * everyMs <= performance.now(); turn += 1) {
        const request = /** @type {Order['requests'][number]} */ (requests[turn % requests.length]);
        const started = performance.now();
        void call(request, credentials[turn % credentials.length] ?? '').then((failure) => {
          const { pathname: path } = new URL(request.url);
          answers.push({ milliseconds: performance.now() - started, path, failure });
          if (answers.length < count) return;
          clearInterval(timer);
          resolve(undefined);
        });
      }
    }, 5);
  });
  const slowest = answers.reduce((slow, answer) => (answer.milliseconds > slow.milliseconds ? answer : slow));
  return {
    milliseconds: answers.map(({ milliseconds }) => milliseconds),
    errors: answers.flatMap(({ failure }) => failure ?? []),
    slowest: `${slowest.path} ${slowest.milliseconds.toFixed(0)} ms`,
  };
}

const answered = Object.entries(orders).map(async ([area, order]) => [area, await callInTurn(order)]);
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(answered))), () => process.exit(0));
