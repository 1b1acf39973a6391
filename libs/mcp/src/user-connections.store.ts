import { recordDecision } from '@millwright/audit';
import { encodeId, type Database, type Tx } from '@millwright/db';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import { upstreamHash, type ClientAuth, type UpstreamServer } from './server-auth.js';
import type { TokenClient, Tokens } from './token-endpoint.js';

/** The user and the server of a connection. */
export interface ConnectionOwner {
  server: Pick<UpstreamServer, 'id' | 'url' | 'auth'>;
  userId: string;
}

/** A connection with decrypted secrets. */
export interface Connection {
  client: TokenClient;
  resource: string;
  accessToken: string;
  refreshToken: string | undefined;
  expiresAt: Date | null;
  version: number;
}

interface Row extends Record<Sealed, string | null> {
  issuer: string;
  token_endpoint: string;
  client_id: string;
  client_auth: ClientAuth;
  resource: string;
  access_token: string;
  expires_at: Date | null;
  version: number;
}

type Sealed = 'client_secret' | 'access_token' | 'refresh_token';

/** Seals a value of a connection. The sealed value is bound to its server, user and column. */
export const sealForConnection = (
  secrets: SecretBox,
  { server, userId }: ConnectionOwner,
  column: Sealed,
  value: string,
): string => secrets.seal(value, secretPlaces.mcpConnection(server.id, userId, column));

/** @throws SecretUnreadable when a sealed value cannot be decrypted */
export const openForConnection = (
  secrets: SecretBox,
  { server, userId }: ConnectionOwner,
  column: Sealed,
  sealed: string,
): string => secrets.open(sealed, secretPlaces.mcpConnection(server.id, userId, column));

/** Expiry of the tokens; null when the server does not state it. */
export const endOf = ({ expires_in }: Pick<Tokens, 'expires_in'>): Date | null =>
  expires_in === undefined ? null : new Date(Date.now() + expires_in * 1_000);

/** Time after which the process of an unfinished refresh is treated as dead. */
export const REFRESH_LEASE_MS = 15_000;
const LEASE = `${REFRESH_LEASE_MS} milliseconds`;

/** Reads and changes connections for calls on behalf of their users. */
export function createConnectionTokens(db: Database, secrets: SecretBox) {
  const keyOf = ({ server, userId }: ConnectionOwner) => [server.id, userId, upstreamHash(server)] as const;

  function opened(owner: ConnectionOwner, row: Row): Connection {
    const open = (column: Sealed) => {
      const sealed = row[column];
      return sealed === null ? undefined : openForConnection(secrets, owner, column, sealed);
    };
    const { token_endpoint, client_id, client_auth, resource, expires_at: expiresAt, version } = row;
    const client = { token_endpoint, client_id, client_auth, client_secret: open('client_secret') };
    const accessToken = open('access_token') ?? '';
    return { client, resource, accessToken, refreshToken: open('refresh_token'), expiresAt, version };
  }

  return {
    /**
     * Finds a connection. Returns `undefined` when the user has no connection or is inactive, or when the connection
     * belongs to the server's former address.
     * @throws SecretUnreadable when a sealed value cannot be decrypted
     */
    async find(owner: ConnectionOwner): Promise<Connection | undefined> {
      const [row] = await db.prepared<Row>(
        'find-mcp-connection',
        `SELECT c.issuer, c.token_endpoint, c.client_id, c.client_auth, c.client_secret, c.resource, c.access_token,
                c.refresh_token, c.expires_at, c.version
           FROM mcp_connections c JOIN users u ON u.id = c.user_id
          WHERE c.server_id = $1 AND c.user_id = $2 AND c.upstream_hash = $3 AND u.status = 'active'`,
        [...keyOf(owner)],
      );
      return row && opened(owner, row);
    },

    /** Claims the refresh of this version of the connection. Returns `false` when another process has claimed it. */
    async claim(owner: ConnectionOwner, { version }: Connection): Promise<boolean> {
      const claimed = await db.prepared(
        'claim-mcp-refresh',
        `UPDATE mcp_connections SET refreshing_until = now() + interval '${LEASE}'
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3 AND version = $4
            AND (refreshing_until IS NULL OR refreshing_until < now())
          RETURNING 1`,
        [...keyOf(owner), version],
      );
      return claimed.length > 0;
    },

    async release(owner: ConnectionOwner, { version }: Connection): Promise<void> {
      await db.prepared(
        'release-mcp-refresh',
        `UPDATE mcp_connections SET refreshing_until = NULL
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3 AND version = $4`,
        [...keyOf(owner), version],
      );
    },

    /** Stores refreshed tokens. A connection that ended meanwhile stays ended. */
    async renew(owner: ConnectionOwner, { version, client }: Connection, tokens: Tokens): Promise<void> {
      const seal = (column: Sealed, value: string | undefined) =>
        value === undefined ? null : sealForConnection(secrets, owner, column, value);
      await db.prepared(
        'renew-mcp-connection',
        `UPDATE mcp_connections
            SET access_token = $5, refresh_token = coalesce($6, refresh_token), expires_at = $7, scope = coalesce($8, scope),
                client_secret = $9, version = version + 1, refreshing_until = NULL, updated_at = now()
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3 AND version = $4`,
        [
          ...keyOf(owner),
          version,
          seal('access_token', tokens.access_token),
          seal('refresh_token', tokens.refresh_token),
          endOf(tokens),
          tokens.scope ?? null,
          seal('client_secret', client.client_secret),
        ],
      );
    },

    /** Stores a scope that the server requires. It is requested at the user's next consent. */
    async want(owner: ConnectionOwner, scope: string): Promise<void> {
      await db.prepared(
        'want-mcp-scope',
        `UPDATE mcp_connections SET wanted_scope = $4
          WHERE server_id = $1 AND user_id = $2 AND upstream_hash = $3 AND wanted_scope IS DISTINCT FROM $4`,
        [...keyOf(owner), scope],
      );
    },

    /** Ends a connection whose refresh token the authorization server refused. */
    end: (owner: ConnectionOwner, { version }: Connection, reason: string): Promise<void> =>
      db.transaction((tx) => endConnection(tx, owner, version, reason)),
  };
}
export type ConnectionTokens = ReturnType<typeof createConnectionTokens>;

async function endConnection(tx: Tx, { server, userId }: ConnectionOwner, version: number, reason: string) {
  const [ended] = await tx.$queryRaw<{ name: string; project: string }[]>`
    DELETE FROM mcp_connections c USING users u, mcp_servers s
     WHERE c.server_id = ${server.id}::uuid AND c.user_id = ${userId}::uuid AND c.version = ${version}
       AND u.id = c.user_id AND s.id = c.server_id
    RETURNING u.name, s.project`;
  if (!ended) return;
  await recordDecision(tx, {
    actor: { userId, kind: 'user', label: ended.name },
    action: 'mcp_connection.end',
    resource: encodeId('ms', server.id),
    project: ended.project,
    detail: { reason },
  });
}
