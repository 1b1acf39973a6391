import { randomBytes } from 'node:crypto';
import { hashSecret } from '@millwright/auth';
import { isStorable, type Database } from '@millwright/db';
import { createConditions, type Conditions } from '@millwright/db/notifications';
import type { AvailableTools, RegisteredServer } from '../servers.store.js';

/** The user and the server of a session; `id` is null for the built-in server. */
export interface SessionOwner {
  userId: string;
  server: { id: string | null; url: string };
}

/** The built-in server, as the owner of sessions. */
export const BUILTIN_SERVER: SessionOwner['server'] = { id: null, url: '' };

/** The session that a request names. It belongs to the user and the server of the request. */
export interface ClientSession {
  /** Session id that the client uses. */
  id: string;
  /**
   * The id of the server's own session; null for a server with MCP 2026-07-28, which has no sessions, so that the
   * session exists only in this installation.
   */
  upstreamId: string | null;
  /** Whether a use of the session was stored within the last ten minutes. */
  isNoted: boolean;
  /** The lowest level of log messages that the client receives; null for no log messages. */
  logLevel: string | null;
  /** The client capabilities that the server may use. */
  capabilities: Record<string, unknown>;
  /** Resources whose changes the client subscribed to. */
  subscriptions: string[];
}

/** A registered server with its available tools, and the session that the request names. */
export interface ServerInSession {
  server: RegisteredServer;
  available: AvailableTools;
  session: ClientSession | undefined;
}

/** A client's answer to an input request. */
export interface InputResponse {
  result?: unknown;
  error?: unknown;
}

/** The columns of {@link SESSION_COLUMNS}. Every column is null when there is no session. */
export interface SessionRow {
  session_noted: boolean | null;
  upstream_id: string | null;
  log_level: string | null;
  capabilities: Record<string, unknown>;
  subscriptions: string[];
}

/** Time without use after which a session is deleted. Its client then opens another session. */
const FORGOTTEN_AFTER = '24 hours';
/** Minimum interval between writes of the last use, so that not every request writes. */
const NOTED_EVERY = '10 minutes';
/**
 * Limit of stored cancelled requests per session. Beyond it, the oldest one is dropped. A client has only few
 * concurrent calls.
 */
const MOST_CANCELLED = 32;
const MOST_SUBSCRIPTIONS = 100;
/** Limit of sessions per user. Beyond it, a new session ends the least recently used session. */
const MOST_SESSIONS = 50;

/** NOTIFY channel of PostgreSQL for changes of MCP sessions. The payload is the hash of the session's id in hex. */
export const MCP_SESSIONS = 'millwright_mcp_sessions';

/**
 * Waits for changes of sessions by any process. `until` waits until a condition of the session with this id is met;
 * `notify` accepts a payload of the channel.
 */
export function createSessionChanges(): Conditions {
  const { until, notify } = createConditions();
  return { until: (sessionId, condition) => until(hashSecret(sessionId).toString('hex'), condition), notify };
}
export type SessionChanges = Conditions;

/** Wraps an update so that it notifies the processes that wait for a change of the session. */
const announced = (update: string) =>
  `WITH changed AS (${update} RETURNING id_hash)
   SELECT pg_notify('${MCP_SESSIONS}', encode(id_hash, 'hex')) FROM changed`;

/** Select list for {@link SessionRow}. */
export const SESSION_COLUMNS = `m.used_at > now() - interval '${NOTED_EVERY}' AS session_noted, m.upstream_id, m.log_level,
  m.capabilities, m.subscriptions`;

/**
 * Joins the session `m` by the hash of its id, if it belongs to the user and to the server `s` at the server's current
 * URL.
 */
export const joinSession = (user: string, hash: string): string => `
  LEFT JOIN mcp_sessions m ON m.id_hash = ${hash} AND m.server_id = s.id AND m.user_id = ${user} AND m.url = s.url
    AND m.used_at > now() - interval '${FORGOTTEN_AFTER}'`;

export const sessionHash = (id: string | undefined) => (id === undefined ? null : hashSecret(id));

export function sessionOf(row: SessionRow, id: string | undefined): ClientSession | undefined {
  const { session_noted: isNoted, upstream_id: upstreamId, log_level: logLevel, capabilities, subscriptions } = row;
  if (id === undefined || isNoted === null) return undefined;
  return { id, upstreamId, isNoted, logLevel, capabilities, subscriptions };
}

/**
 * Maximum number of expired sessions that are deleted when a session is opened. More than one is deleted, so that
 * expired sessions do not accumulate, but only a few, so that opening stays fast.
 */
const FORGOTTEN_AT_ONCE = 100;

/**
 * Stores the sessions of clients with registered servers, for all replicas. A row has the id of the server's own session. For a server of
 * 2026-07-28, which has no sessions, it has the state of the client's 2025-11-25 session.
 */
export function createClientSessionStore(db: Database) {
  return {
    /** Opens a session and returns its id for the client: visible ASCII, as 2025-11-25 requires. */
    async open({ userId, server }: SessionOwner, upstreamId: string | null, capabilities = {}): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      await db.prisma.$executeRaw`
        INSERT INTO mcp_sessions (id_hash, server_id, user_id, url, upstream_id, capabilities)
        VALUES (${hashSecret(id)}, ${server.id}::uuid, ${userId}::uuid, ${server.url}, ${upstreamId},
          ${JSON.stringify(capabilities)}::json)`;
      await db.prisma.$executeRaw`
        DELETE FROM mcp_sessions WHERE id_hash = ANY(ARRAY(
          SELECT id_hash FROM mcp_sessions WHERE used_at < now() - ${FORGOTTEN_AFTER}::interval LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`;
      await db.prisma.$executeRaw`
        DELETE FROM mcp_sessions WHERE id_hash = ANY(ARRAY(
          SELECT id_hash FROM mcp_sessions WHERE user_id = ${userId}::uuid
           ORDER BY used_at DESC, created_at DESC OFFSET ${MOST_SESSIONS} LIMIT ${FORGOTTEN_AT_ONCE}))`;
      return id;
    },

    /** Finds a user's session with the built-in server. */
    async findBuiltin(userId: string, id: string): Promise<ClientSession | undefined> {
      const [row] = await db.prepared<SessionRow>(
        'find-builtin-mcp-session',
        `SELECT ${SESSION_COLUMNS} FROM mcp_sessions m
          WHERE m.id_hash = $1 AND m.user_id = $2 AND m.server_id IS NULL
            AND m.used_at > now() - interval '${FORGOTTEN_AFTER}'`,
        [hashSecret(id), userId],
      );
      return row && sessionOf(row, id);
    },

    /** Stores the use of the session, so that it does not expire. */
    async noteUse({ id, isNoted }: ClientSession): Promise<void> {
      if (isNoted) return;
      await db.prepared('use-mcp-session', 'UPDATE mcp_sessions SET used_at = now() WHERE id_hash = $1', [
        hashSecret(id),
      ]);
    },

    async close(id: string): Promise<void> {
      await db.prepared('close-mcp-session', 'DELETE FROM mcp_sessions WHERE id_hash = $1', [hashSecret(id)]);
    },

    async setLogLevel(id: string, level: string): Promise<void> {
      await db.prepared('set-mcp-log-level', 'UPDATE mcp_sessions SET log_level = $2 WHERE id_hash = $1', [
        hashSecret(id),
        level,
      ]);
    },

    /** Stores that a request was cancelled. The replica that makes the call reads this. */
    async cancelRequest(id: string, request: string | number): Promise<void> {
      await db.prepared(
        'cancel-mcp-request',
        announced(`UPDATE mcp_sessions
            SET cancelled = (array_append(cancelled, $2))[greatest(1, cardinality(cancelled) + 2 - ${MOST_CANCELLED}):]
          WHERE id_hash = $1`),
        [hashSecret(id), JSON.stringify(request)],
      );
    },

    async isRequestCancelled(id: string, request: string | number): Promise<boolean> {
      const rows = await db.prepared(
        'is-mcp-request-cancelled',
        'SELECT 1 FROM mcp_sessions WHERE id_hash = $1 AND $2 = ANY(cancelled)',
        [hashSecret(id), JSON.stringify(request)],
      );
      return rows.length > 0;
    },

    /** Stores input requests, so that any replica can accept their responses. */
    async openInputRequests(id: string, requests: readonly string[]): Promise<void> {
      await db.prepared(
        'open-mcp-input-requests',
        'UPDATE mcp_sessions SET questions = questions || $2::jsonb WHERE id_hash = $1',
        [hashSecret(id), JSON.stringify(Object.fromEntries(requests.map((request) => [request, null])))],
      );
    },

    /** Stores the first response to an open input request. @returns whether this response was stored */
    async keepResponse(id: string, { id: request, result, error }: { id: unknown } & InputResponse): Promise<boolean> {
      if (typeof request !== 'string' || !isStorable(request)) return false;
      const response = error === undefined ? { result } : { error };
      const kept = await db.prepared(
        'answer-mcp-input-request',
        announced(`UPDATE mcp_sessions SET questions = jsonb_set(questions, ARRAY[$2::text], to_jsonb($3::text))
          WHERE id_hash = $1 AND questions -> $2::text = 'null'::jsonb`),
        [hashSecret(id), request, Buffer.from(JSON.stringify(response)).toString('base64')],
      );
      return kept.length > 0;
    },

    /** Returns the responses to all of these input requests; `undefined` until every response has arrived. */
    async findInputResponses(id: string, requests: readonly string[]): Promise<InputResponse[] | undefined> {
      const [row] = await db.prepared<{ responses: (string | null)[] }>(
        'find-mcp-input-responses',
        `SELECT ARRAY(SELECT questions ->> q FROM unnest($2::text[]) WITH ORDINALITY AS asked (q, n) ORDER BY n) AS responses
           FROM mcp_sessions WHERE id_hash = $1`,
        [hashSecret(id), requests],
      );
      if (!row || row.responses.includes(null)) return undefined;
      return row.responses.map(
        (text) => JSON.parse(Buffer.from(String(text), 'base64').toString('utf8')) as InputResponse,
      );
    },

    async closeInputRequests(id: string, requests: readonly string[]): Promise<void> {
      const text = 'UPDATE mcp_sessions SET questions = questions - $2::text[] WHERE id_hash = $1';
      await db.prepared('close-mcp-input-requests', text, [hashSecret(id), requests]);
    },

    /** Subscribes the session to a resource. Returns `false` when the session has too many subscriptions. */
    async subscribe(id: string, uri: string): Promise<boolean> {
      const rows = await db.prepared(
        'subscribe-mcp-resource',
        announced(`UPDATE mcp_sessions SET subscriptions = array_append(array_remove(subscriptions, $2), $2)
          WHERE id_hash = $1 AND (cardinality(subscriptions) < ${MOST_SUBSCRIPTIONS} OR $2 = ANY(subscriptions))`),
        [hashSecret(id), uri],
      );
      return rows.length > 0;
    },

    async unsubscribe(id: string, uri: string): Promise<void> {
      const text = announced(
        'UPDATE mcp_sessions SET subscriptions = array_remove(subscriptions, $2) WHERE id_hash = $1',
      );
      await db.prepared('unsubscribe-mcp-resource', text, [hashSecret(id), uri]);
    },

    async subscriptionsOf(id: string): Promise<string[]> {
      const text = 'SELECT subscriptions FROM mcp_sessions WHERE id_hash = $1';
      const [row] = await db.prepared<{ subscriptions: string[] }>('find-mcp-subscriptions', text, [hashSecret(id)]);
      return row?.subscriptions ?? [];
    },
  };
}
export type ClientSessionStore = ReturnType<typeof createClientSessionStore>;
