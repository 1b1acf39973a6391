import { hashSecret } from '@millwright/auth';
import { newId, type Database } from '@millwright/db';
import type { RegisteredServer } from './servers.store.js';
import type { ServerSession } from './server-sessions.js';

/** The user and the server of a session. */
export interface SharedSessionOwner {
  userId: string;
  server: RegisteredServer;
  /** The capabilities of the user's clients, as canonical text. */
  capabilities: string;
}

export interface SharedSession extends ServerSession {
  /** Key of the session. A replacement session has a different key. */
  key: string;
}

/** Time without use after which a session is replaced, because the server may have dropped it, too. */
const FORGOTTEN_AFTER = '24 hours';

/**
 * Hash of the address and the credential of a server. A session is used only while both stay the same, because another address or
 * credential may lead to another server.
 */
const upstreamHash = ({ url, headers }: RegisteredServer) => hashSecret(JSON.stringify([url, headers]));

/**
 * Stores sessions with servers of 2025-11-25 for users with 2026-07-28 clients. All clients of a user with the same capabilities use one
 * session with a server, on every replica.
 */
export function createSharedSessionStore(db: Database) {
  return {
    async find({ userId, server, capabilities }: SharedSessionOwner): Promise<SharedSession | undefined> {
      const [session] = await db.prepared<SharedSession>(
        'use-mcp-shared-session',
        `UPDATE mcp_upstream_sessions SET used_at = now()
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3 AND capabilities = $4
            AND used_at > now() - interval '${FORGOTTEN_AFTER}'
          RETURNING key, upstream_id AS id, protocol_version AS version`,
        [server.id, userId, upstreamHash(server), capabilities],
      );
      return session;
    },

    /**
     * Stores a session when none is stored. A stored session is replaced when it is expired, belongs to another address
     * or credential, or has the key `staleKey`. Otherwise nothing is stored, and the result is `undefined`.
     */
    async keep(
      { userId, server, capabilities }: SharedSessionOwner,
      { id, version }: ServerSession,
      staleKey?: string,
    ): Promise<SharedSession | undefined> {
      const [kept] = await db.prepared<{ key: string }>(
        'keep-mcp-shared-session',
        `INSERT INTO mcp_upstream_sessions AS s
           (server_id, user_id, key, upstream_hash, upstream_id, protocol_version, capabilities)
         VALUES ($1, $2, $3, $4, $5, $6, $8)
         ON CONFLICT (server_id, user_id, capabilities) DO UPDATE
            SET key = excluded.key, upstream_hash = excluded.upstream_hash, upstream_id = excluded.upstream_id,
                protocol_version = excluded.protocol_version, created_at = now(), used_at = now()
          WHERE s.key = $7 OR s.upstream_hash <> excluded.upstream_hash
             OR s.used_at <= now() - interval '${FORGOTTEN_AFTER}'
         RETURNING key`,
        [server.id, userId, newId(), upstreamHash(server), id, version, staleKey ?? null, capabilities],
      );
      return kept && { id, version, key: kept.key };
    },
  };
}
export type SharedSessionStore = ReturnType<typeof createSharedSessionStore>;
