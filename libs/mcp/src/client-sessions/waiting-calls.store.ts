import { createHash, randomBytes } from 'node:crypto';
import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { canonicalJson } from '@millwright/json';
import { MCP_SESSIONS } from './client-sessions.store.js';

/** The owner of a waiting call. Only the same user, at the same server, with the same request, may continue the call. */
export interface WaitingOwner {
  userId: string;
  serverId: string;
  request: { method: string; params: Record<string, unknown> };
}

/** Identifies a waiting call and its current round. */
export interface RequestState {
  secret: string;
  round: number;
}

/** Time without a response after which a call is deleted. */
const FORGOTTEN_AFTER = '5 minutes';
/** Time without a heartbeat after which the process that executes a call counts as dead. */
const LOST_AFTER = '30 seconds';
/** Limit of waiting calls per user, over all replicas. */
const MOST_WAITING = 16;
/** Maximum number of expired calls deleted when a new call starts to wait. */
const FORGOTTEN_AT_ONCE = 100;

const STATE = /^([\w-]{43})\.(\d{1,3})$/;

/** Formats the opaque text with which a client continues a call. */
export const formatState = ({ secret, round }: RequestState): string => `${secret}.${round}`;

/** Parses the state that a client sent. Returns `undefined` when another server issued the state. */
export function parseState(state: unknown): RequestState | undefined {
  const [, secret, round] = (typeof state === 'string' && STATE.exec(state)) || [];
  return secret === undefined ? undefined : { secret, round: Number(round) };
}

/**
 * Returns the parts of a request that stay the same when its client sends the request again with input (2026-07-28,
 * "Multi round-trip requests").
 */
export function withoutInput(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = { ...params };
  delete rest['inputResponses'];
  delete rest['requestState'];
  return rest;
}

function requestHash({ method, params }: WaitingOwner['request']): Buffer {
  const rest = withoutInput(params);
  delete rest['_meta'];
  return createHash('sha256')
    .update(canonicalJson([method, rest]))
    .digest();
}

/** Wraps a change so that it notifies the processes that wait for the call. */
const announced = (change: string) =>
  `WITH changed AS (${change} RETURNING id_hash) SELECT pg_notify('${MCP_SESSIONS}', encode(id_hash, 'hex')) FROM changed`;

/** Stores calls of MCP 2026-07-28 that wait for input. So one replica can execute a call while another replica receives the input for it. */
export function createWaitingCallStore(db: Database) {
  const isOwners = 'id_hash = $1 AND server_id = $2 AND user_id = $3 AND request_hash = $4';
  const ownerValues = (secret: string, { serverId, userId, request }: WaitingOwner) => [
    ...[hashSecret(secret), serverId, userId],
    requestHash(request),
  ];

  return {
    /**
     * Stores a waiting call and returns the secret that identifies it. Returns `undefined` when the user has too many
     * waiting calls.
     */
    async begin(owner: WaitingOwner, kind: 'held' | 'approval', received?: string): Promise<string | undefined> {
      const secret = randomBytes(32).toString('base64url');
      await db.prepared(
        'forget-mcp-waiting-calls',
        `DELETE FROM mcp_waiting_calls WHERE id_hash = ANY(ARRAY(
           SELECT id_hash FROM mcp_waiting_calls WHERE used_at < now() - interval '${FORGOTTEN_AFTER}'
            LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
        [],
      );
      const begun = await db.prepared(
        'begin-mcp-waiting-call',
        `INSERT INTO mcp_waiting_calls (id_hash, server_id, user_id, request_hash, kind, received)
         SELECT $1, $2, $3, $4, $5, $6
          WHERE (SELECT count(*) FROM mcp_waiting_calls
                  WHERE user_id = $3 AND used_at > now() - interval '${FORGOTTEN_AFTER}') < ${MOST_WAITING}
         RETURNING 1`,
        [...ownerValues(secret, owner), kind, received ?? null],
      );
      return begun.length > 0 ? secret : undefined;
    },

    /** Ends the wait for an approval, at most once. @returns the text that `begin` stored */
    async takeApproval({ secret }: RequestState, owner: WaitingOwner): Promise<string | undefined> {
      const [taken] = await db.prepared<{ received: string }>(
        'take-mcp-approval',
        `DELETE FROM mcp_waiting_calls
          WHERE ${isOwners} AND kind = 'approval' AND used_at > now() - interval '${FORGOTTEN_AFTER}' RETURNING received`,
        ownerValues(secret, owner),
      );
      return taken?.received;
    },

    /** Whether a process holds the call. */
    async isHeld({ secret }: RequestState, owner: WaitingOwner): Promise<boolean> {
      const rows = await db.prepared(
        'is-mcp-call-held',
        `SELECT 1 FROM mcp_waiting_calls WHERE ${isOwners} AND kind = 'held'`,
        ownerValues(secret, owner),
      );
      return rows.length > 0;
    },

    /**
     * Stores the responses of a round. Returns `false` when the round already has responses or is over, or when no
     * process holds the call.
     */
    async respond({ secret, round }: RequestState, owner: WaitingOwner, responses: string): Promise<boolean> {
      const stored = await db.prepared(
        'respond-to-mcp-call',
        announced(`UPDATE mcp_waiting_calls SET received = $6
          WHERE ${isOwners} AND round = $5 AND kind = 'held' AND received IS NULL
            AND used_at > now() - interval '${LOST_AFTER}'`),
        [...ownerValues(secret, owner), round, responses],
      );
      return stored.length > 0;
    },

    /**
     * Returns the responses for the process that holds the call: null until they arrive, `undefined` when the call is
     * over.
     */
    async findResponses(secret: string): Promise<string | null | undefined> {
      const text = 'SELECT received FROM mcp_waiting_calls WHERE id_hash = $1';
      const [row] = await db.prepared<{ received: string | null }>('find-mcp-responses', text, [hashSecret(secret)]);
      return row?.received;
    },

    /**
     * Stores the reply to the client of a round and starts the next round. Returns `false` when the call no longer
     * exists.
     */
    async reply(secret: string, reply: string): Promise<boolean> {
      const stored = await db.prepared(
        'reply-to-mcp-call',
        announced(`UPDATE mcp_waiting_calls SET reply = $2, round = round + 1, received = NULL, used_at = now()
          WHERE id_hash = $1`),
        [hashSecret(secret), reply],
      );
      return stored.length > 0;
    },

    /**
     * Returns the reply to the client of a round: null until it exists, `undefined` when no process holds the call any
     * more.
     */
    async findReply({ secret, round }: RequestState): Promise<string | null | undefined> {
      const [row] = await db.prepared<{ reply: string | null }>(
        'find-mcp-reply',
        `SELECT CASE WHEN round > $2 THEN reply END AS reply FROM mcp_waiting_calls
          WHERE id_hash = $1 AND (round > $2 OR used_at > now() - interval '${LOST_AFTER}')`,
        [hashSecret(secret), round],
      );
      return row?.reply;
    },

    /** Stores a heartbeat of the process that holds the call. Returns `false` when the call is over. */
    async noteHeld(secret: string): Promise<boolean> {
      const text = 'UPDATE mcp_waiting_calls SET used_at = now() WHERE id_hash = $1 RETURNING 1';
      return (await db.prepared('note-mcp-call-held', text, [hashSecret(secret)])).length > 0;
    },

    async end(secret: string): Promise<void> {
      const text = announced('DELETE FROM mcp_waiting_calls WHERE id_hash = $1');
      await db.prepared('end-mcp-waiting-call', text, [hashSecret(secret)]);
    },
  };
}
export type WaitingCallStore = ReturnType<typeof createWaitingCallStore>;
