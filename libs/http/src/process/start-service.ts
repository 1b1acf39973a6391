import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ErrorRenderer } from '@millwright/errors';
import { createAdminServer } from './admin-server.js';
import { answerClientError, writeAndClose } from './client-error.js';
import { createConnectionLimit, type ConnectionLimits } from './limit-connections.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { paceRequests } from './pace-requests.js';
import { cachedReadiness, type Readiness } from './readiness.js';
import { drain, trackTraffic, type Traffic } from './traffic.js';
import { isWebSocket, serveUpgrades } from './web-socket.js';

/**
 * Keep-alive timeout. Proxies in front close idle connections earlier, so this process never closes a connection at the moment when a proxy
 * uses it.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 300_000;
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Maximum length of the accept queue, if the system allows this length. When more connections arrive at once, the
 * system drops them.
 */
const BACKLOG = 4_096;
/**
 * Number of accept queues per address, among which the system divides connections. Node accepts one connection of each queue per turn of
 * the event loop. With only one queue, a client would wait one turn for each connection that another client opens at the same time.
 */
const ACCEPT_QUEUES = 8;
const CLOSE_TIMEOUT_MS = 5_000;

export interface ListenAddress {
  host: string;
  port: number;
  /** Whether to skip the address when the machine does not have it. */
  optional?: boolean;
}

export interface ServiceOptions {
  name: string;
  config: {
    HOST: string;
    PORT?: number | undefined;
    ADMIN_PORT: number;
    SHUTDOWN_ANNOUNCE_MS: number;
    SHUTDOWN_GRACE_MS: number;
    /** Maximum number of open connections. Default: unlimited. */
    MAX_CONNECTIONS?: number;
    /**
     * Maximum number of open connections of one address. It applies only without TRUSTED_PROXY_HOPS: behind proxies, every connection comes
     * from the address of a proxy.
     */
    MAX_CONNECTIONS_PER_ADDRESS?: number;
    TRUSTED_PROXY_HOPS?: number;
  };
  /**
   * The app, or a promise of it. Until the promise resolves, only the admin port listens, and the process is not ready.
   */
  app: RequestListener | Promise<RequestListener>;
  /**
   * Whether the app handles WebSocket requests (see `webSocketOf`). Otherwise they are handled as ordinary requests.
   */
  webSockets?: boolean;
  /** Addresses to listen on. Default: HOST and PORT. */
  addresses?: readonly ListenAddress[];
  /** Renders the errors for requests that never reach the app: malformed requests and headers that are too large. */
  renderClientError: ErrorRenderer;
  logger: Logger;
  metrics: Metrics;
  ready: Readiness;
  /**
   * Called when the service stops listening. Ends work that would otherwise last for the whole grace period, such as
   * open event streams.
   */
  onDrain?: () => void;
  /** Resolves when no work for disconnected clients remains. The stop waits for it as for the requests in flight. */
  settled?: () => Promise<void>;
  /** Closes clients and pools, after the last request. */
  close: () => Promise<void>;
  /** Replaces the source of SIGTERM and SIGINT, and the end of the process; for tests. */
  signals?: { on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown };
  exit?: (code: number) => void;
}

export interface RunningService {
  /** The port of the first address, even when the system chose the port. */
  readonly port: number;
  readonly adminPort: number;
  readonly traffic: Traffic;
}

/**
 * Starts the service, which listens once the app is created. The service stops in an order that loses no request. For
 * SHUTDOWN_ANNOUNCE_MS, it reports that it is not ready and answers with `Connection: close`. Then it accepts no new
 * connections, and waits at most SHUTDOWN_GRACE_MS for the requests in flight. Then it calls `close()` and exits with
 * 0, or with 1 when requests had to be cut off. At a second signal, it exits immediately.
 *
 * @throws Error that names an address on which the service cannot listen.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { name, config, logger, metrics, signals = process, exit = (code: number) => process.exit(code) } = options;
  const loading = Promise.resolve(options.app);
  loading.catch(() => undefined); // the code that awaits the promise reports the error
  let app: RequestListener | undefined = undefined;
  const pace = paceRequests((request, response) => app?.(request, response), config.TRUSTED_PROXY_HOPS ?? 0);
  const traffic = trackTraffic(pace.listener);
  metrics.readInFlightFrom(() => traffic.inFlight);
  const servers: Server[] = [];
  let draining = false;
  let listening = false;

  const canWork = cachedReadiness(options.ready);
  const ready = async () => (await canWork()) ?? (listening ? undefined : 'starting');
  const admin = createAdminServer({ metrics, ready, draining: () => draining });
  await listen(admin, { host: config.HOST, port: config.ADMIN_PORT });

  async function stop(): Promise<void> {
    draining = true;
    traffic.announceClose();
    logger.info({ in_flight: traffic.inFlight }, 'stopping');
    await sleep(config.SHUTDOWN_ANNOUNCE_MS);
    options.onDrain?.();
    const answered = await drain(servers, config.SHUTDOWN_GRACE_MS, options.settled);
    if (!answered) logger.error({ in_flight: traffic.inFlight }, 'stopped before every request was answered');
    const closed = await closeWithin(CLOSE_TIMEOUT_MS, options.close, logger);
    admin.close();
    admin.closeAllConnections();
    logger.info('stopped');
    exit(answered && closed ? 0 : 1);
  }

  const onSignal = () => {
    if (draining) exit(1);
    else void stop();
  };
  signals.on('SIGTERM', onSignal);
  signals.on('SIGINT', onSignal);

  app = await loading;
  const limitConnections = createConnectionLimit(connectionLimits(config), options.renderClientError);
  for (const address of options.addresses ?? [{ host: config.HOST, port: config.PORT ?? 0 }]) {
    const own = Array.from({ length: ACCEPT_QUEUES }, () => createAppServer(traffic.listener, options));
    for (const server of own) {
      // This listener is registered before the listener of the connection limit, so that refused connections are also counted.
      server.on('connection', pace.accepted);
      limitConnections(server);
    }
    servers.push(...(await listenTogether(own, address)));
  }
  listening = true;
  const [port, adminPort] = [portOf(servers[0] ?? admin), portOf(admin)];
  logger.info({ addresses: [...new Set(servers.map(addressOf))], admin: addressOf(admin) }, `${name} is listening`);
  return { port, adminPort, traffic };
}

function connectionLimits({ TRUSTED_PROXY_HOPS = 0, ...config }: ServiceOptions['config']): ConnectionLimits {
  const perAddress = TRUSTED_PROXY_HOPS === 0 ? config.MAX_CONNECTIONS_PER_ADDRESS : undefined;
  return { all: config.MAX_CONNECTIONS ?? Infinity, perAddress: perAddress ?? Infinity };
}

function createAppServer(
  listener: RequestListener,
  { renderClientError: render, webSockets = false }: Pick<ServiceOptions, 'renderClientError' | 'webSockets'>,
): Server {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The app answers a missing Host header in its envelope; Node's own refusal has no body.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => webSockets && isWebSocket(request),
    },
    listener,
  );
  if (webSockets) serveUpgrades(server, listener);
  server.on('clientError', (failure: Error, socket) => answerClientError(failure, socket, render));
  server.on('connect', (_request, socket) => writeAndClose(socket, new AppError('method_not_allowed'), render));
  // An expectation other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', listener);
  return server;
}

/**
 * Lets all servers listen on one address if the system supports this; otherwise only the first server listens.
 * @returns the servers that listen
 */
async function listenTogether(servers: readonly Server[], address: ListenAddress): Promise<Server[]> {
  if (process.platform !== 'linux') {
    const first = servers.slice(0, 1);
    return first[0] && (await listen(first[0], address)) ? first : [];
  }
  // Listens without `reusePort` first, so that a port that another process uses is refused.
  const reservation = createTcpServer((socket) => socket.destroy());
  if (!(await listen(reservation, address))) return [];
  const { port } = boundAddress(reservation);
  reservation.close();
  await once(reservation, 'close');
  for (const server of servers) await listen(server, { ...address, port }, { reusePort: true });
  return [...servers];
}

/** Lets a server listen on an address. @returns `false` for an optional address that this machine does not have */
async function listen(
  server: TcpServer,
  { host, port, optional = false }: ListenAddress,
  { reusePort = false } = {},
): Promise<boolean> {
  try {
    server.listen({ port, host, backlog: BACKLOG, reusePort });
    await once(server, 'listening');
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (optional && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) return false;
    const reason = code === 'EADDRINUSE' ? 'it is already in use' : code;
    throw new Error(`Cannot listen on port ${port} of ${host}: ${reason}`, { cause: failure });
  }
}

async function closeWithin(milliseconds: number, close: () => Promise<void>, logger: Logger): Promise<boolean> {
  const timeout = new AbortController();
  try {
    const late = sleep(milliseconds, undefined, { signal: timeout.signal }).then(() => {
      throw new Error(`closing took more than ${milliseconds} ms`);
    });
    await Promise.race([close(), late]);
    return true;
  } catch (failure) {
    logger.error({ err: failure }, 'closing failed');
    return false;
  } finally {
    timeout.abort();
  }
}

function boundAddress(server: TcpServer): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address;
}

const addressOf = (server: Server) => {
  const { address, port } = boundAddress(server);
  return `${address}:${port}`;
};

const portOf = (server: Server) => boundAddress(server).port;
