// @ts-check
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Range of ports below those of outgoing connections. An outgoing connection could otherwise take a chosen port before the program listens on it. */
const [FIRST, END] = [15_000, 32_768];
const MOST_TRIES = 1_000;

/**
 * @param {number} port 0 for any
 * @param {string} [host]
 * @returns {Promise<import('node:net').Server>}
 */
function listen(port, host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** @param {import('node:net').Server} server @returns {Promise<number>} the server's port, once the server is closed */
function release(server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return new Promise((resolve) => void server.close(() => resolve(port)));
}

/** Returns different free ports of 127.0.0.1. @param {number} count */
export async function freePorts(count) {
  /** @type {import('node:net').Server[]} */
  const servers = [];
  for (let tries = 0; servers.length < count; tries += 1) {
    if (tries === MOST_TRIES) throw new Error(`No free port between ${FIRST} and ${END - 1}`);
    // A port that cannot be opened is used by another program.
    await listen(randomInt(FIRST, END)).then(
      (server) => servers.push(server),
      () => undefined,
    );
  }
  return Promise.all(servers.map(release));
}

/** Returns whether nothing listens on the port, on either loopback address. @param {number} port */
export async function isFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    try {
      await release(await listen(port, host));
    } catch (error) {
      // Any other error, such as on a machine without IPv6, does not mean that the port is in use.
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') return false;
    }
  }
  return true;
}
