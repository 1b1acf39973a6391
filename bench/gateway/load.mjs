// @ts-check
import { connect } from 'node:net';

/** Number of bytes in the body of the upstream's answer to `/api/v1/skills`. The clients count these bytes and do not parse them. */
const BODY = 600;

/**
 * Puts load on a port by clients with keep-alive connections. They send a prepared request and only count the answers, so that nearly all of the
 * CPU time is used by the measured server. `latencies` are in milliseconds.
 *
 * @param {number} port
 * @param {{ clients: number, milliseconds: number }} options
 * @returns {Promise<{ requests: number, seconds: number, latencies: Float64Array }>}
 */
export async function load(port, { clients, milliseconds }) {
  const request =
    'GET /api/v1/skills HTTP/1.1\r\nHost: gateway.test\r\nAuthorization: Bearer sk_live_0123456789\r\nAccept: application/json\r\n\r\n';
  const latencies = new Float64Array(1 << 20);
  let requests = 0;
  const began = performance.now();
  const until = began + milliseconds;

  const client = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let text = '';
      const next = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      socket.setEncoding('latin1');
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk;
        const end = text.indexOf('\r\n\r\n');
        if (end === -1 || text.length < end + 4 + BODY) return;
        if (!text.startsWith('HTTP/1.1 200')) return void reject(new Error(text.slice(0, 200)));
        text = '';
        latencies[requests % latencies.length] = performance.now() - sentAt;
        requests += 1;
        if (performance.now() < until) next();
        else {
          socket.destroy();
          resolve(undefined);
        }
      });
    });
  await Promise.all(Array.from({ length: clients }, client));
  return {
    requests,
    seconds: (performance.now() - began) / 1000,
    latencies: latencies.slice(0, Math.min(requests, latencies.length)),
  };
}
