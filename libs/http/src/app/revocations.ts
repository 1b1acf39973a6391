import { REVOCATIONS } from '@millwright/auth';
import { listenTo, type Database, type Listener } from '@millwright/db';
import type { Logger, Traffic } from '../process/index.js';

export interface RevocationOptions {
  databaseUrl: string;
  db: Pick<Database, 'prepared'>;
  traffic: Pick<Traffic, 'closeStreamsOf' | 'users'>;
  logger: Logger;
  /** What else the process listens to, by channel. */
  also?: AreaListeners | undefined;
}

/** What an area's process is told of by PostgreSQL's NOTIFY, by channel. */
export type AreaListeners = Readonly<Record<string, (payload: string) => void>>;

const ENDED = `SELECT id FROM users WHERE id = ANY($1::uuid[]) AND status <> 'active'`;

/**
 * Closes a user's open streams in this process as soon as their account is disabled or their credentials are revoked, wherever
 * that was done. New requests need no such word: each reads the account itself.
 */
export function followRevocations({ databaseUrl, db, traffic, logger, also }: RevocationOptions): Listener {
  return listenTo({
    url: databaseUrl,
    channel: REVOCATIONS,
    also,
    onNotify: (userId) => traffic.closeStreamsOf(userId),
    onConnected: async () => {
      const ended = await db.prepared<{ id: string }>('ended-accounts', ENDED, [traffic.users()]);
      for (const { id } of ended) traffic.closeStreamsOf(id);
    },
    onError: (err) => logger.warn({ err }, 'revocations are not heard until the database is connected again'),
  });
}
