import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { RequestId } from '../json-rpc.js';
import type { SessionOwner } from './sessions.store.js';

export interface TranslatedSession {
  id: string;
  log_level: string | null;
}

/** Later ones push earlier ones out: a client's calls under way are few. */
const MOST_CANCELLED = 32;

/** What we remember for legacy clients of servers that have no sessions, for every replica. Opened and closed as all sessions are. */
export function createTranslatedSessionStore(db: Database) {
  return {
    async find({ userId, server }: SessionOwner, id: string): Promise<TranslatedSession | undefined> {
      const [row] = await db.prepared<{ log_level: string | null }>(
        'use-translated-mcp-session',
        `UPDATE mcp_sessions SET used_at = now()
          WHERE id_hash = $1 AND server_id = $2 AND user_id = $3 AND url = $4 AND upstream_id IS NULL
            AND used_at > now() - interval '24 hours'
          RETURNING log_level`,
        [hashSecret(id), server.id, userId, server.url],
      );
      return row && { id, log_level: row.log_level };
    },

    async setLogLevel(id: string, level: string): Promise<void> {
      await db.prepared('set-mcp-log-level', 'UPDATE mcp_sessions SET log_level = $2 WHERE id_hash = $1', [
        hashSecret(id),
        level,
      ]);
    },

    /** For whichever replica makes the call. */
    async cancel(id: string, request: RequestId): Promise<void> {
      await db.prepared(
        'cancel-mcp-request',
        `UPDATE mcp_sessions
            SET cancelled = (array_append(cancelled, $2))[greatest(1, cardinality(cancelled) + 2 - ${MOST_CANCELLED}):]
          WHERE id_hash = $1`,
        [hashSecret(id), JSON.stringify(request)],
      );
    },

    async isCancelled(id: string, request: RequestId): Promise<boolean> {
      const rows = await db.prepared(
        'is-mcp-request-cancelled',
        'SELECT 1 FROM mcp_sessions WHERE id_hash = $1 AND $2 = ANY(cancelled)',
        [hashSecret(id), JSON.stringify(request)],
      );
      return rows.length > 0;
    },
  };
}
export type TranslatedSessionStore = ReturnType<typeof createTranslatedSessionStore>;
