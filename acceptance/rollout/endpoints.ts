import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The port of a pod, and whether its Service lists the pod, so that it receives new connections. */
export interface Endpoint {
  readonly port: number;
  readonly listed: boolean;
}

/** Simulates a Service: one port that forwards each new connection to a random listed pod. */
export interface Endpoints {
  readonly port: number;
  pods: readonly Endpoint[];
  /** Ends every connection, and waits until all are closed. After that, senders connect to pods that are listed now. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

export async function createEndpoints(): Promise<Endpoints> {
  const open = new Set<Socket>();
  const endpoints = { pods: [] as readonly Endpoint[] };
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const listed = endpoints.pods.filter((pod) => pod.listed);
    const pod = listed[Math.floor(Math.random() * listed.length)];
    client.on('error', () => undefined);
    if (pod === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: pod.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    join(client, upstream);
    join(upstream, client);
    open.add(client).add(upstream);
  });

  /** Passes the end or failure of one side to the other. */
  function join(from: Socket, to: Socket) {
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', (broken) => {
      open.delete(from);
      if (broken) to.resetAndDestroy();
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(endpoints, {
    port: (server.address() as AddressInfo).port,
    async disconnect() {
      const closed = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of open) socket.end();
      await Promise.all(closed);
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  });
}
