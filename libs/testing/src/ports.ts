import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections: nobody takes a port before the process that it was found for listens there. */
const [FIRST, COUNT] = [20_000, 12_000];
/** Processes begin in different places. */
let next = Math.floor(Math.random() * COUNT);

/** A port of 127.0.0.1 that nothing listens on, and that no other call of this process was given lately. */
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
