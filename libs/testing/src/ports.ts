import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * First port of the range, and the number of ports. The range is below the ports of outgoing connections, so that a
 * port stays free until the process that will use it listens.
 */
const [FIRST, COUNT] = [20_000, 12_000];
/** Next port to try. The start is random, so that processes rarely try the same ports. */
let next = Math.floor(Math.random() * COUNT);

/** Returns a free port of 127.0.0.1 that this process has not returned recently. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
