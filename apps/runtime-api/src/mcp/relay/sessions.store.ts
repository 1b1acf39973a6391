import { randomBytes } from 'node:crypto';
import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** Whose session, with what. */
export interface SessionOwner {
  userId: string;
  server: { id: string; url: string };
}

/** A session that nobody used for this long is forgotten; its client starts over. */
const FORGOTTEN_AFTER = '24 hours';
/** A use is written this often, and not by every request. */
const NOTED_EVERY = '10 minutes';

/** Which session of an upstream a client's session id stands for, for every replica. To other users the id does not exist. */
export function createSessionStore(db: Database) {
  return {
    /** The id for the client; null for a server without sessions. Visible ASCII, as 2025-11-25 demands. */
    async open({ userId, server }: SessionOwner, upstreamId: string | null, capabilities = {}): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      await db.prisma.$executeRaw`
        INSERT INTO mcp_sessions (id_hash, server_id, user_id, url, upstream_id, capabilities)
        VALUES (${hashSecret(id)}, ${server.id}::uuid, ${userId}::uuid, ${server.url}, ${upstreamId},
          ${JSON.stringify(capabilities)}::json)`;
      await db.prisma.$executeRawUnsafe(
        `DELETE FROM mcp_sessions WHERE used_at < now() - interval '${FORGOTTEN_AFTER}'`,
      );
      return id;
    },

    /** The upstream's id, `undefined` for a session that is not this user's with this server. */
    async find({ userId, server }: SessionOwner, id: string): Promise<string | undefined> {
      const hash = hashSecret(id);
      const [row] = await db.prepared<{ upstream_id: string; noted: boolean }>(
        'find-mcp-session',
        `SELECT upstream_id, used_at > now() - interval '${NOTED_EVERY}' AS noted FROM mcp_sessions
          WHERE id_hash = $1 AND server_id = $2 AND user_id = $3 AND url = $4 AND upstream_id IS NOT NULL
            AND used_at > now() - interval '${FORGOTTEN_AFTER}'`,
        [hash, server.id, userId, server.url],
      );
      if (row && !row.noted)
        await db.prepared('use-mcp-session', 'UPDATE mcp_sessions SET used_at = now() WHERE id_hash = $1', [hash]);
      return row?.upstream_id;
    },

    async close(id: string): Promise<void> {
      await db.prepared('close-mcp-session', 'DELETE FROM mcp_sessions WHERE id_hash = $1', [hashSecret(id)]);
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;
