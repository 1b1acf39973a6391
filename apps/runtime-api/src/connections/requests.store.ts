import { hashSecret, newOneTimeToken } from '@millwright/auth';
import type { TokenClient } from '@millwright/mcp/token-endpoint';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import type { Database } from '@millwright/db';

/** The data that is needed to redeem a code of the upstream's authorization server for tokens. */
export interface Pending {
  issuer: string;
  /** Whether the authorization server names itself in its answers (RFC 9207). */
  namesItself: boolean;
  revocation_endpoint: string | undefined;
  client: TokenClient;
  resource: string;
  scope: string | undefined;
  verifier: string;
  /** Hash, in hex, of the address and the credential that the MCP server had when the user began to connect. */
  upstreamHash: string;
}

/** A request whose answer has arrived. Each request can be taken only once. */
export interface Taken {
  serverId: string;
  userId: string;
  pending: Pending;
}

/** Time limit for both sign-ins: at this installation and at the upstream. */
const REQUEST = '15 minutes';

/** Length of the prefix of a request's name. The request's `state` and the name of its cookie begin with this prefix. */
export const TAG_LENGTH = 16;

/** Stores users' connection requests. Each step of a request succeeds once, and only in the browser that began the request. */
export function createRequestStore(db: Database, secretBox: SecretBox) {
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

    /**
     * Stores the signed-in user of a request, and returns the server to connect to. Returns `undefined` for a request of another browser,
     * for a second sign-in, and for an expired request.
     */
    async signIn(name: string, browser: string, userId: string): Promise<string | undefined> {
      const [row] = await db.prepared<{ server_id: string }>(
        'sign-in-mcp-connection',
        `UPDATE mcp_connection_requests SET user_id = $3
          WHERE request_hash = $1 AND browser_hash = $2 AND user_id IS NULL AND expires_at > now() RETURNING server_id`,
        [hashSecret(name), hashSecret(browser), userId],
      );
      return row?.server_id;
    },

    /** Stores the data for redeeming the code, and returns the `state` that the authorization server's answer will contain. */
    async send(name: string, pending: Pending): Promise<string> {
      const state = `${name.slice(0, TAG_LENGTH)}${newOneTimeToken()}`;
      const hash = hashSecret(name);
      await db.prepared(
        'send-mcp-connection',
        `UPDATE mcp_connection_requests SET state_hash = $2, pending = $3
          WHERE request_hash = $1 AND state_hash IS NULL AND user_id IS NOT NULL`,
        [hash, hashSecret(state), secretBox.seal(JSON.stringify(pending), secretPlaces.mcpConnectionRequest(hash))],
      );
      return state;
    },

    /**
     * Takes a request by its state. Returns `undefined` when the request is unknown in this browser or was taken before. @throws SecretUnreadable
     * when no configured key can decrypt it
     */
    async take(state: string, browser: string): Promise<Taken | undefined> {
      const [row] = await db.prepared<{ request_hash: Buffer; server_id: string; user_id: string; pending: string }>(
        'take-mcp-connection',
        `UPDATE mcp_connection_requests SET used_at = now()
          WHERE state_hash = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now()
          RETURNING request_hash, server_id, user_id, pending`,
        [hashSecret(state), hashSecret(browser)],
      );
      if (!row) return undefined;
      const pending = JSON.parse(
        secretBox.open(row.pending, secretPlaces.mcpConnectionRequest(row.request_hash)),
      ) as Pending;
      return { serverId: row.server_id, userId: row.user_id, pending };
    },
  };
}
export type RequestStore = ReturnType<typeof createRequestStore>;
