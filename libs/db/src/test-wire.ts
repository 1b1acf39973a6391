import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Wire {
  url: string;
  /** Ends every connection, and accepts no further connections. */
  cut(): Promise<void>;
  /** Stops forwarding bytes, and stops forwarding the end of connections, until `thaw` is called. */
  freeze(): void;
  thaw(): void;
  /** Accepts new connections from now on, but forwards nothing on them. */
  freezeNew(): void;
  close(): Promise<void>;
}

/**
 * Returns the first bytes that a client sends to a server that never answers. They contain the settings of the session.
 */
export async function readStartup(connectTo: (url: string) => unknown): Promise<string> {
  const received = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      received.resolve(data.toString('latin1'));
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  connectTo(`postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  try {
    return await received.promise;
  } finally {
    server.close();
  }
}

/** PostgreSQL's message BackendKeyData up to the process id: the type of the message, and its length of 12 bytes. */
const KEY_DATA = Buffer.from('K\0\0\0\x0c', 'latin1');

/** Creates a wire that gives its clients other process ids than the server does, as poolers do. */
export function createRenumberingWire(target: URL): Promise<Wire> {
  return createWire(target, (fromServer) => {
    const at = fromServer.indexOf(KEY_DATA);
    if (at !== -1) fromServer.writeInt32BE(-1, at + KEY_DATA.length);
    return fromServer;
  });
}

/**
 * Creates a TCP relay between a service and its database. It can refuse, cut or freeze connections.
 *
 * @param change changes the bytes that the server sends
 */
export async function createWire(target: URL, change = (fromServer: Buffer) => fromServer): Promise<Wire> {
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
      one.on('data', (data: Buffer) => {
        if (!frozen && !isFrozen) other.write(one === far ? change(data) : data);
      });
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        if (!frozen) other.destroy();
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
