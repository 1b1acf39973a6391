import { Redis } from 'ioredis';

/** A script in Redis, which runs whole and in one round trip. Callers set their own deadline. */
export type RedisScript<Reply> = (keys: readonly string[], args: readonly (string | number)[]) => Promise<Reply>;

export interface RedisConnection {
  /** Settles when the first connection succeeded or failed, or was not made in time. */
  readonly attempted: Promise<void>;
  script<Reply>(name: string, lua: string): RedisScript<Reply>;
  close(): void;
}

/** Milliseconds for the first connection, and for a command, whose callers stop waiting earlier. */
const PATIENCE_MS = 250;

export function createRedisConnection(url: string, deadlineMs = 0): RedisConnection {
  const patienceMs = Math.max(PATIENCE_MS, deadlineMs);
  const client = new Redis(url, {
    commandTimeout: patienceMs,
    socketTimeout: patienceMs,
    connectTimeout: 2 * patienceMs,
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    keepAlive: 5_000,
    retryStrategy: () => 1_000,
  });
  // Every failure also reaches the caller of a script; without a listener ioredis prints it.
  client.on('error', () => undefined);
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
      // ioredis adds the command as a method, which its types do not have.
      const commands = client as unknown as Record<string, (...args: unknown[]) => Promise<Reply>>;
      return async (keys, args) => commands[name]?.(keys.length, ...keys, ...args) as Promise<Reply>;
    },
    close: () => client.disconnect(),
  };
}
