import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningApp {
  /** Address of the server: `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** Cuts open connections. The port stays open. */
  dropConnections: () => void;
  /** Cuts open connections and frees the port. A repeated call does nothing. */
  close: () => Promise<void>;
}

/** Serves an Express app, or any request listener, on a free port of 127.0.0.1. */
export async function listen(app: RequestListener): Promise<ListeningApp> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = once(server, 'close');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    dropConnections: () => server.closeAllConnections(),
    async close() {
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
