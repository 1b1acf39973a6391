import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface ListenOptions {
  url: string;
  channel: string;
  onNotify: (payload: string) => void;
  /** More channels on the same connection, by name. */
  also?: Readonly<Record<string, (payload: string) => void>> | undefined;
  /**
   * After each connecting, the first included: what was announced meanwhile was missed and has to be read. `missedMs` is how long ago
   * everything was heard for certain.
   */
  onConnected: (missedMs: number) => Promise<void>;
  /** Told of a connection that failed; the next one is tried by itself. */
  onError: (error: unknown) => void;
}

export interface Listener {
  close(): Promise<void>;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A server that is silent is taken for gone within twice this. */
const HEARTBEAT_MS = 5_000;

/**
 * Listens on a channel by a connection of its own, which is made again whenever it ends: a pooled one would be closed when idle,
 * and say nothing.
 */
export function listenTo({ url, channel, onNotify, also, onConnected, onError }: ListenOptions): Listener {
  const heard = new Map([...Object.entries(also ?? {}), [channel, onNotify]]);
  const stopping = new AbortController();
  const { signal } = stopping;
  let delay = FIRST_DELAY_MS;
  let heardAt = performance.now();

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_MS,
      keepAlive: true,
      application_name: `listen ${channel}`,
    });
    const ended = new AbortController();
    client.on('error', (error) => ended.abort(error));
    client.on('end', () => ended.abort(new Error('the connection ended')));
    client.on('notification', ({ channel: name, payload }) => heard.get(name)?.(payload ?? ''));
    try {
      await client.connect();
      for (const name of heard.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(name)}`);
      const connectedAt = performance.now();
      await onConnected(connectedAt - heardAt);
      heardAt = connectedAt;
      delay = FIRST_DELAY_MS;
      const over = AbortSignal.any([signal, ended.signal]);
      for (;;) {
        await sleep(HEARTBEAT_MS, undefined, { signal: over });
        const askedAt = performance.now();
        await client.query('SELECT 1');
        heardAt = askedAt;
      }
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await sleep(delay, undefined, { signal }).catch(() => undefined);
      delay = Math.min(2 * delay, LONGEST_DELAY_MS);
    }
  }

  const running = run();
  return {
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}
