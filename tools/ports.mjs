// @ts-check
import { createServer } from 'node:net';

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

/** @param {import('node:net').Server} server @returns {Promise<number>} its port, closed again */
function release(server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return new Promise((resolve) => void server.close(() => resolve(port)));
}

/** Different free ports of 127.0.0.1. @param {number} count */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  return Promise.all(servers.map(release));
}

/** Whether nothing listens on the port, on either loopback address. @param {number} port */
export async function isFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    try {
      await release(await listen(port, host));
    } catch (error) {
      // Anything else, such as a machine without IPv6, is not a port in use.
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') return false;
    }
  }
  return true;
}
