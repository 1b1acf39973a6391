import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl } from './redis-url.js';

/** A Redis script, which runs atomically in one round trip. The callers set their own deadlines. */
export type RedisScript<Reply> = (keys: readonly string[], args: readonly (string | number)[]) => Promise<Reply>;

export interface RedisConnection {
  /** Settles when the first connection succeeds, fails or times out. */
  readonly attempted: Promise<void>;
  script<Reply>(name: string, lua: string): RedisScript<Reply>;
  /** Cause of the last failure of the connection or a command; undefined before a failure. */
  readonly failure: string | undefined;
  close(): void;
}

/**
 * Timeouts of the first connection and of a command, in milliseconds. The callers of a command stop waiting earlier.
 */
export const PATIENCE_MS = 250;

/** Pause before the next attempt to connect, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Prefix that puts all keys in one slot of a Cluster. A request counts on several keys in one command, which is possible only when one node
 * has all of them. With a Cluster, Redis therefore stays available when a node fails, but is no faster than one server.
 */
const CLUSTER_PREFIX = '{mw}:';

function createClient(url: string, patienceMs: number): Redis | Cluster {
  const { kind, nodes, tls, username, password, db, master, sentinelPassword } = parseRedisUrl(url);
  const [node] = nodes;
  const connection = {
    ...{ username, password, db },
    ...(tls && { tls: {} }),
    commandTimeout: patienceMs,
    socketTimeout: patienceMs,
    connectTimeout: 2 * patienceMs,
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    keepAlive: 5_000,
    // `READONLY` means that the connected server was the primary and is a replica now. The next connection leads to the current primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  } satisfies RedisOptions;
  if (kind === 'cluster')
    return new Cluster(nodes, {
      redisOptions: connection,
      keyPrefix: CLUSTER_PREFIX,
      enableOfflineQueue: false,
      clusterRetryStrategy: () => RETRY_MS,
      slotsRefreshTimeout: 2 * patienceMs,
      // With TLS, this lookup returns the host names of nodes instead of IP addresses, because certificates contain host names.
      ...(tls && { dnsLookup: (address, callback) => callback(null, address) }),
    });
  const retryStrategy = () => RETRY_MS;
  if (kind === 'server') return new Redis({ ...connection, ...node, retryStrategy });
  return new Redis({
    ...connection,
    ...{ sentinels: nodes, name: master ?? '', retryStrategy, sentinelRetryStrategy: retryStrategy },
    sentinelCommandTimeout: patienceMs,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  });
}

/** @param onReady called each time a connection becomes usable */
export function createRedisConnection(
  url: string,
  deadlineMs = 0,
  onReady: () => void = () => undefined,
): RedisConnection {
  const patienceMs = Math.max(PATIENCE_MS, deadlineMs);
  const client = createClient(url, patienceMs);
  let failure: string | undefined;
  // Stores the cause. Without a listener, ioredis would print failures.
  client.on('error', (error: Error & { code?: string }) => {
    failure = error.code ?? error.message.slice(0, 200);
  });
  client.on('ready', onReady);
  const attempted = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    client.once('ready', settle);
    client.once('close', settle);
  });

  return {
    attempted,
    script<Reply>(name: string, lua: string): RedisScript<Reply> {
      client.defineCommand(name, { lua });
      // The cast is needed because ioredis adds the command as a method, which its types do not have.
      const commands = client as unknown as Record<string, (...args: unknown[]) => Promise<Reply>>;
      return async (keys, args) => {
        try {
          return (await commands[name]?.(keys.length, ...keys, ...args)) as Reply;
        } catch (error) {
          // A command that had no connection fails with an error that does not state the cause. The error of the
          // connection itself does.
          const text = (error as Error).message;
          if (failure === undefined || !/writeable|closed/i.test(text)) failure = text.slice(0, 200);
          throw error;
        }
      };
    },
    get failure() {
      return failure;
    },
    close: () => client.disconnect(),
  };
}
