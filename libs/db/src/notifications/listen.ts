import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { limitSession } from '../limit-session.js';

export interface ListenOptions {
  url: string;
  channel: string;
  onNotify: (payload: string) => void;
  /** Further channels on the same connection, by name. */
  also?: Readonly<Record<string, (payload: string) => void>> | undefined;
  /**
   * Called after each connection, including the first. Notifications that were sent earlier may be lost, so read the data that they would
   * have announced. `missedMs`: time since the last moment until which every notification was received.
   */
  onConnected: (missedMs: number) => Promise<void>;
  /** Called for a connection that failed. The next connection is opened automatically. */
  onError: (error: unknown) => void;
}

export interface Listener {
  close(): Promise<void>;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Interval of the heartbeat. A silent server is treated as lost after at most twice this time. */
const HEARTBEAT_MS = 5_000;

/**
 * Listens on a channel with a separate connection, which is opened again whenever it ends. In a pool, an idle
 * connection could be closed without a report.
 */
export function listenTo({ url, channel, onNotify, also, onConnected, onError }: ListenOptions): Listener {
  const heard = new Map([...Object.entries(also ?? {}), [channel, onNotify]]);
  const stopping = new AbortController();
  const { signal } = stopping;
  let delay = FIRST_DELAY_MS;
  let heardAt = performance.now();

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: limitSession(url),
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
