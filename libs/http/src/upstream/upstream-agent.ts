import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Target, Targets } from './targets.js';

const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Idle time of a pooled connection. It is shorter than the time for which a stopping service sends `Connection: close`,
 * so that no pooled connection is used after its service has stopped.
 */
const IDLE_TIMEOUT_MS = 900;

const REFUSED_AVOIDED_MS = 500;
const SILENT_AVOIDED_MS = 5_000;
const STOPPING_AVOIDED_MS = 3_000;

/**
 * Number of attempts when a service has one address. Such an address may lead to several replicas, like a Service of
 * Kubernetes: when one replica was killed, the next attempt probably leads to another.
 */
const ATTEMPTS_AT_ONE_ADDRESS = 3;

type Created = (failure: Error | null, socket?: Duplex) => void;

/**
 * Connections to the services, pooled by service. A new connection goes to the next replica. When the connection cannot
 * be made, the following replica is tried, or the same address again when there is only one. This happens only while no
 * byte of the request was sent.
 */
export class UpstreamAgent extends Agent {
  readonly #areas: Readonly<Record<string, Targets>>;
  readonly #targetOf = new WeakMap<Duplex, { targets: Targets; target: Target }>();

  /** @param areas the replicas of each service, by the host name in the addresses of its requests */
  constructor(areas: Readonly<Record<string, Targets>>) {
    super({ keepAlive: true, timeout: IDLE_TIMEOUT_MS, maxFreeSockets: 256, scheduling: 'fifo' });
    this.#areas = areas;
  }

  override createConnection(options: ClientRequestArgs, created: Created): undefined {
    const targets = this.#areas[String(options.host)];
    if (targets === undefined) created(new Error('no such area'));
    else this.#connect(targets, attemptsAt(targets.inOrder()), created);
  }

  #connect(targets: Targets, [target, ...others]: readonly Target[], created: Created): void {
    if (target === undefined) {
      created(new Error('no replica accepts connections'));
      return;
    }
    openSocket(target).then(
      (socket) => {
        this.#targetOf.set(socket, { targets, target });
        created(null, socket);
      },
      (failure: unknown) => {
        targets.avoid(target, failure instanceof ConnectTimeout ? SILENT_AVOIDED_MS : REFUSED_AVOIDED_MS);
        this.#connect(targets, others, created);
      },
    );
  }

  /** Call this when a replica has closed its connection: the replica is about to stop, so new connections go first to other replicas. */
  avoidStopping(socket: Duplex): void {
    const known = this.#targetOf.get(socket);
    known?.targets.avoid(known.target, STOPPING_AVOIDED_MS);
  }
}

class ConnectTimeout extends Error {}

const attemptsAt = (order: readonly Target[]): readonly Target[] =>
  order.length === 1 ? Array.from({ length: ATTEMPTS_AT_ONE_ADDRESS }, () => order).flat() : order;

function openSocket({ host, port }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    // The attempt ends one turn later, so that a connection that was made while the event loop was blocked is still used.
    const giveUp = () => setImmediate(() => socket.connecting && socket.destroy(new ConnectTimeout()));
    const timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
