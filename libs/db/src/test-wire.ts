import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Wire {
  url: string;
  /** Ends every connection, and takes no more. */
  cut(): Promise<void>;
  /** Carries nothing for the time being. */
  freeze(): void;
  thaw(): void;
  /** From now on new connections are made, and nothing is carried on them. */
  freezeNew(): void;
  close(): Promise<void>;
}

/** What lies between a service and its database: refuses, cuts, or falls silent when told to. */
export async function createWire(target: URL): Promise<Wire> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let freezesNew = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const isFrozen = freezesNew;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (data) => {
        if (!frozen && !isFrozen) other.write(data);
      });
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    freeze: () => (frozen = true),
    thaw: () => (frozen = false),
    freezeNew: () => (freezesNew = true),
    close: cut,
  };
}

/** Does for so many milliseconds what code does that runs for the first time: keeps the whole process busy. */
export function standStill(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}
