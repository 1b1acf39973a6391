import { hashSecret } from '@millwright/auth';
import { newId, type Database } from '@millwright/db';
import type { RelayedServer } from './relayed-server.js';
import type { UpstreamSession } from './upstream-session.js';

/** Whose session it is, and with what. */
export interface SharedSessionOwner {
  userId: string;
  server: RelayedServer;
}

export interface SharedSession extends UpstreamSession {
  /** Tells it from the one that takes its place. */
  key: string;
}

/** One that nobody used for this long may be forgotten by its server too. */
const FORGOTTEN_AFTER = '24 hours';

/** Another address or credential may lead to another server. */
const upstreamHash = ({ url, headers }: RelayedServer) => hashSecret(JSON.stringify([url, headers]));

/** The one session with a legacy server that all requests of a user's modern clients share, at every replica. */
export function createSharedSessionStore(db: Database) {
  return {
    async find({ userId, server }: SharedSessionOwner): Promise<SharedSession | undefined> {
      const [session] = await db.prepared<SharedSession>(
        'use-mcp-shared-session',
        `UPDATE mcp_shared_sessions SET used_at = now()
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3
            AND used_at > now() - interval '${FORGOTTEN_AFTER}'
          RETURNING key, upstream_id AS id, protocol_version AS version`,
        [server.id, userId, upstreamHash(server)],
      );
      return session;
    },

    /** Keeps a session in the place of none, of an outdated one, or of the stale one. `undefined` when another is there already. */
    async keep(
      { userId, server }: SharedSessionOwner,
      { id, version }: UpstreamSession,
      staleKey?: string,
    ): Promise<SharedSession | undefined> {
      const [kept] = await db.prepared<{ key: string }>(
        'keep-mcp-shared-session',
        `INSERT INTO mcp_shared_sessions AS s (server_id, user_id, key, upstream_hash, upstream_id, protocol_version)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (server_id, user_id) DO UPDATE
            SET key = excluded.key, upstream_hash = excluded.upstream_hash, upstream_id = excluded.upstream_id,
                protocol_version = excluded.protocol_version, created_at = now(), used_at = now()
          WHERE s.key = $7 OR s.upstream_hash <> excluded.upstream_hash
             OR s.used_at <= now() - interval '${FORGOTTEN_AFTER}'
         RETURNING key`,
        [server.id, userId, newId(), upstreamHash(server), id, version, staleKey ?? null],
      );
      return kept && { id, version, key: kept.key };
    },
  };
}
export type SharedSessionStore = ReturnType<typeof createSharedSessionStore>;
