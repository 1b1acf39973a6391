import { REVOCATIONS } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { listenTo, type Listener } from '@millwright/db/notifications';
import type { Logger, Traffic } from '../process/index.js';

export interface RevocationOptions {
  databaseUrl: string;
  db: Pick<Database, 'prepared'>;
  traffic: Pick<Traffic, 'closeStreamsOf' | 'users'>;
  logger: Logger;
  /** Further channels to listen on, by name. */
  also?: AreaListeners | undefined;
}

/** Listeners for PostgreSQL's NOTIFY, by channel. */
export type AreaListeners = Readonly<Record<string, (payload: string) => void>>;

/**
 * Maximum duration of a transaction that revokes, with a margin. A revocation is stored with the time at which its
 * transaction started, but is announced at the end of the transaction. After a lost connection, the search for missed
 * revocations therefore begins earlier by this duration.
 */
const LONGEST_TRANSACTION_MS = 10_000;

const ENDED = `
  SELECT id FROM users WHERE id = ANY($1::uuid[])
     AND (status <> 'active' OR credentials_revoked_at > now() - make_interval(secs => $2::float8 / 1000))`;

/**
 * Closes a user's open streams in this process as soon as any process disables the account or revokes its credentials.
 * New requests need no notification, because each request reads the account.
 */
export function followRevocations({ databaseUrl, db, traffic, logger, also }: RevocationOptions): Listener {
  return listenTo({
    url: databaseUrl,
    channel: REVOCATIONS,
    also,
    onNotify: (userId) => traffic.closeStreamsOf(userId),
    onConnected: async (missedMs) => {
      const since = missedMs + LONGEST_TRANSACTION_MS;
      const ended = await db.prepared<{ id: string }>('ended-accounts', ENDED, [traffic.users(), since]);
      for (const { id } of ended) traffic.closeStreamsOf(id);
    },
    onError: (err) => logger.warn({ err }, 'revocations are not heard until the database is connected again'),
  });
}
