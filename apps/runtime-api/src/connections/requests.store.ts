import { hashSecret, newOneTimeToken } from '@millwright/auth';
import type { SecretBox, TokenClient } from '@millwright/catalog';
import type { Database } from '@millwright/db';

/** Where and how the code of an upstream's authorization server becomes tokens. */
export interface Pending {
  issuer: string;
  /** Whether the server names itself in its answers (RFC 9207). */
  namesItself: boolean;
  revocation_endpoint: string | undefined;
  client: TokenClient;
  resource: string;
  scope: string | undefined;
  verifier: string;
  /** Of the server as it was, in hex. */
  upstreamHash: string;
}

/** A request whose answer has come, taken once. */
export interface Taken {
  serverId: string;
  userId: string;
  pending: Pending;
}

/** Sign-in here and there takes its time; the request waits this long. */
const REQUEST = '15 minutes';

/** How much of a request's name its cookie and its state begin with. */
export const TAG_LENGTH = 16;

const place = (requestHash: Buffer) => `mcp_connection_requests/${requestHash.toString('hex')}/pending`;

/** Users on the way to a connection: each step once, in the browser that began, by one conditional update. */
export function createRequestStore(db: Database, box: SecretBox) {
  return {
    async begin(serverId: string): Promise<{ name: string; browser: string }> {
      const [name, browser] = [newOneTimeToken(), newOneTimeToken()];
      await db.prepared(
        'begin-mcp-connection',
        `INSERT INTO mcp_connection_requests (request_hash, browser_hash, server_id, expires_at)
         VALUES ($1, $2, $3, now() + interval '${REQUEST}')`,
        [hashSecret(name), hashSecret(browser), serverId],
      );
      return { name, browser };
    },

    /** Who signed in. The server that they want to connect to; `undefined` for a request that is not this browser's, signed in or over. */
    async signIn(name: string, browser: string, userId: string): Promise<string | undefined> {
      const [row] = await db.prepared<{ server_id: string }>(
        'sign-in-mcp-connection',
        `UPDATE mcp_connection_requests SET user_id = $3
          WHERE request_hash = $1 AND browser_hash = $2 AND user_id IS NULL AND expires_at > now() RETURNING server_id`,
        [hashSecret(name), hashSecret(browser), userId],
      );
      return row?.server_id;
    },

    /** The `state` under which the answer comes back. */
    async send(name: string, pending: Pending): Promise<string> {
      const state = `${name.slice(0, TAG_LENGTH)}${newOneTimeToken()}`;
      const hash = hashSecret(name);
      await db.prepared(
        'send-mcp-connection',
        `UPDATE mcp_connection_requests SET state_hash = $2, pending = $3
          WHERE request_hash = $1 AND state_hash IS NULL AND user_id IS NOT NULL`,
        [hash, hashSecret(state), box.seal(JSON.stringify(pending), place(hash))],
      );
      return state;
    },

    /** `undefined` for an answer that nobody in this browser waits for, or that was taken before. @throws SecretUnreadable */
    async take(state: string, browser: string): Promise<Taken | undefined> {
      const [row] = await db.prepared<{ request_hash: Buffer; server_id: string; user_id: string; pending: string }>(
        'take-mcp-connection',
        `UPDATE mcp_connection_requests SET used_at = now()
          WHERE state_hash = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now()
          RETURNING request_hash, server_id, user_id, pending`,
        [hashSecret(state), hashSecret(browser)],
      );
      if (!row) return undefined;
      const pending = JSON.parse(box.open(row.pending, place(row.request_hash))) as Pending;
      return { serverId: row.server_id, userId: row.user_id, pending };
    },
  };
}
export type RequestStore = ReturnType<typeof createRequestStore>;
