import { randomBytes } from 'node:crypto';
import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** Whose session, with what. */
export interface SessionOwner {
  userId: string;
  server: { id: string; url: string };
}

/** A session that a client named, as far as it is its user's with this server. */
export interface Session {
  /** As the client knows it. */
  id: string;
  /** Null: we remember it for a server of the era without sessions. */
  upstreamId: string | null;
  /** Whether its use was written lately. */
  isNoted: boolean;
  /** From which level on the server's log messages are wanted; null: none. */
  logLevel: string | null;
  /** What its client can be asked. */
  capabilities: Record<string, unknown>;
  /** Resources that its client wants to hear of. */
  subscriptions: string[];
}

/** Without a session, all is null. */
export interface SessionRow {
  session_noted: boolean | null;
  upstream_id: string | null;
  log_level: string | null;
  capabilities: Record<string, unknown>;
  subscriptions: string[];
}

/** A session that nobody used for this long is forgotten; its client starts over. */
const FORGOTTEN_AFTER = '24 hours';
/** A use is written this often, and not by every request. */
const NOTED_EVERY = '10 minutes';

/** Select list for {@link SessionRow}. */
export const SESSION_COLUMNS = `m.used_at > now() - interval '${NOTED_EVERY}' AS session_noted, m.upstream_id, m.log_level,
  m.capabilities, m.subscriptions`;

/** Joins the session of a user with the server `s` where it is now, by the hash of its id. To other users the id does not exist. */
export const joinSession = (user: string, hash: string): string => `
  LEFT JOIN mcp_sessions m ON m.id_hash = ${hash} AND m.server_id = s.id AND m.user_id = ${user} AND m.url = s.url
    AND m.used_at > now() - interval '${FORGOTTEN_AFTER}'`;

export const sessionHash = (id: string | undefined) => (id === undefined ? null : hashSecret(id));

export function sessionOf(row: SessionRow, id: string | undefined): Session | undefined {
  const { session_noted: isNoted, upstream_id: upstreamId, log_level: logLevel, capabilities, subscriptions } = row;
  if (id === undefined || isNoted === null) return undefined;
  return { id, upstreamId, isNoted, logLevel, capabilities, subscriptions };
}

/** Which session of an upstream a client's session id stands for, for every replica. */
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

    /** Keeps it from being forgotten. */
    async noteUse({ id, isNoted }: Session): Promise<void> {
      if (isNoted) return;
      await db.prepared('use-mcp-session', 'UPDATE mcp_sessions SET used_at = now() WHERE id_hash = $1', [
        hashSecret(id),
      ]);
    },

    async close(id: string): Promise<void> {
      await db.prepared('close-mcp-session', 'DELETE FROM mcp_sessions WHERE id_hash = $1', [hashSecret(id)]);
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;
