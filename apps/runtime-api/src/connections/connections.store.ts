import { recordDecision, recordDenial, type Actor } from '@millwright/audit';
import { ACCOUNT_COLUMNS, rolesOf, type AccountRow, type Project } from '@millwright/auth';
import { upstreamHash, type UpstreamServer, markProbeDue } from '@millwright/mcp';
import { endOf, openForConnection, sealForConnection, type ConnectionOwner } from '@millwright/mcp/user-connections';
import type { TokenClient, Tokens } from '@millwright/mcp/token-endpoint';
import type { SecretBox } from '@millwright/secrets';
import { decodeId, encodeId, type Database, type Tx } from '@millwright/db';
import type { UserServer } from './discovery.js';
import type { Pending } from './requests.store.js';

export interface ConnectableServer extends UserServer {
  project: Project;
  name: string;
  created_by: string;
}

/** The fields of a server that its users see. */
export interface ConnectionRow {
  id: string;
  name: string;
  slug: string;
  scope: string | null;
  connected_at: Date | null;
}

/** A token that must be revoked at its issuer. */
export interface EndedConnection {
  client: TokenClient;
  revocation_endpoint: string | null;
  token: string | undefined;
}

/** Stores users' connections to MCP servers. Every function accesses the connections of only one user. */
export function createConnectionStore(db: Database, secretBox: SecretBox) {
  return {
    /** Finds an active or unreachable server that requires the accounts of its users. */
    async findServer(serverUuid: string): Promise<ConnectableServer | undefined> {
      const [server] = await db.prepared<UpstreamServer & Omit<ConnectableServer, 'auth'>>(
        'find-connectable-server',
        `SELECT id, name, project, url, headers, auth, created_by FROM mcp_servers WHERE id = $1 AND status <> 'inactive'`,
        [serverUuid],
      );
      return server?.auth.type === 'user' ? { ...server, auth: server.auth } : undefined;
    },

    /** Finds an active user; `undefined` when the user is unknown or inactive. `name` is the name that audit rows contain. */
    async findUser(userId: string) {
      const [row] = await db.prepared<AccountRow & { project: Project }>(
        'find-connecting-user',
        `SELECT u.project, ${ACCOUNT_COLUMNS} FROM users u WHERE u.id = $1 AND u.status = 'active'`,
        [userId],
      );
      return row && { id: userId, name: row.user_name, project: row.project, isAdmin: rolesOf(row).includes('admin') };
    },

    /**
     * Returns an empty list unless the server has required further scopes since the user connected (2026-07-28, "Scope challenge handling").
     * Otherwise, returns the scopes that the user granted and those that the server required.
     */
    async findScopes(serverUuid: string, userId: string): Promise<string[]> {
      const [row] = await db.prepared<Record<'scope' | 'wanted_scope', string | null>>(
        'find-mcp-scopes',
        'SELECT scope, wanted_scope FROM mcp_connections WHERE server_id = $1 AND user_id = $2',
        [serverUuid, userId],
      );
      return row?.wanted_scope ? [row.scope ?? '', row.wanted_scope] : [];
    },

    /** Lists the project's servers that require the accounts of their users, oldest first, at most 1,000. */
    async list(project: Project, userId: string): Promise<ConnectionRow[]> {
      const rows = await db.prepared<
        ConnectionRow & Pick<UpstreamServer, 'url' | 'auth'> & { upstream_hash: Buffer | null }
      >(
        'list-mcp-connections',
        `SELECT s.id, s.name, s.slug, s.url, s.auth, c.scope, c.created_at AS connected_at, c.upstream_hash
           FROM mcp_servers s LEFT JOIN mcp_connections c ON c.server_id = s.id AND c.user_id = $2
          WHERE s.project = $1 AND s.status <> 'inactive' AND s.auth ->> 'type' = 'user' ORDER BY s.created_at, s.id LIMIT 1000`,
        [project, userId],
      );
      return rows.map(({ url, auth, upstream_hash, ...row }) =>
        upstream_hash?.equals(upstreamHash({ url, auth })) ? row : { ...row, scope: null, connected_at: null },
      );
    },

    /**
     * Stores the user's connection, in place of an earlier one. Returns `false` when the server's address or credential has changed since the user
     * began to connect, or when the server or the user is no longer active.
     */
    keep: (server: ConnectableServer, actor: Actor, pending: Pending, tokens: Tokens): Promise<boolean> =>
      db.transaction(async (tx) => {
        const owner: ConnectionOwner = { server, userId: actor.userId };
        const seal = (column: Parameters<typeof sealForConnection>[2], value: string | undefined) =>
          value === undefined ? null : sealForConnection(secretBox, owner, column, value);
        const [now] = await tx.$queryRaw<(Pick<UpstreamServer, 'url' | 'auth'> & { at: Date })[]>`
          SELECT s.url, s.auth, clock_timestamp() AS at FROM mcp_servers s, users u
           WHERE s.id = ${server.id}::uuid AND s.status <> 'inactive' AND u.id = ${actor.userId}::uuid
             AND u.status = 'active' FOR KEY SHARE OF s FOR SHARE OF u`;
        if (!now || upstreamHash(now).toString('hex') !== pending.upstreamHash) return false;
        const { client } = pending;
        const data = {
          upstream_hash: new Uint8Array(upstreamHash(now)),
          issuer: pending.issuer,
          token_endpoint: client.token_endpoint,
          revocation_endpoint: pending.revocation_endpoint ?? null,
          client_id: client.client_id,
          client_auth: client.client_auth,
          client_secret: seal('client_secret', client.client_secret),
          resource: pending.resource,
          access_token: seal('access_token', tokens.access_token) ?? '',
          refresh_token: seal('refresh_token', tokens.refresh_token),
          scope: tokens.scope ?? pending.scope ?? null,
          expires_at: endOf(tokens),
          wanted_scope: null,
          refreshing_until: null,
          // Use the clock of the database, because runs that wait for the connection compare this time with that clock.
          created_at: now.at,
        };
        const key = { server_id: server.id, user_id: actor.userId };
        await tx.mcpConnection.upsert({
          where: { server_id_user_id: key },
          create: { ...key, ...data },
          update: { ...data, version: { increment: 1 } },
        });
        await forgetSessions(tx, owner);
        // Probes use the account of the user who registered the server. That account is connected now.
        if (server.created_by === actor.userId) await markProbeDue(tx, server.id);
        const detail = { issuer: pending.issuer, scope: data.scope };
        const resource = encodeId('ms', server.id);
        await recordDecision(tx, { actor, action: 'mcp_connection.create', resource, project: server.project, detail });
        return true;
      }),

    /** Ends the connection of this user. Returns `undefined` when the user has no connection. */
    async end(tx: Tx, actor: Actor, project: Project, serverId: string): Promise<EndedConnection | undefined> {
      const uuid = decodeId('ms', serverId);
      if (uuid === undefined) return undefined;
      const [row] = await tx.$queryRaw<(Omit<TokenClient, 'client_secret'> & SealedRow)[]>`
        DELETE FROM mcp_connections c USING mcp_servers s
         WHERE c.server_id = ${uuid}::uuid AND c.user_id = ${actor.userId}::uuid AND s.id = c.server_id
           AND s.project = ${project}
        RETURNING c.token_endpoint, c.revocation_endpoint, c.client_id, c.client_auth, c.client_secret, c.access_token,
                  c.refresh_token`;
      if (!row) return undefined;
      const owner = { server: { id: uuid, url: '', auth: { type: 'none' } }, userId: actor.userId } as const;
      await forgetSessions(tx, owner);
      await recordDecision(tx, { actor, action: 'mcp_connection.delete', resource: serverId, project });
      return opened(secretBox, owner, row);
    },

    recordDenial: (actor: Actor, server: Pick<ConnectableServer, 'id' | 'project'>, reason: string) =>
      recordDenial(
        db,
        { actor, action: 'mcp_connection.create', resource: encodeId('ms', server.id), project: server.project },
        reason,
      ),
  };
}
export type ConnectionStore = ReturnType<typeof createConnectionStore>;

interface SealedRow {
  revocation_endpoint: string | null;
  client_secret: string | null;
  access_token: string;
  refresh_token: string | null;
}

/** Decrypts the data that is needed to revoke a token. A token whose encryption key no longer exists cannot be revoked. */
function opened(
  secretBox: SecretBox,
  owner: ConnectionOwner,
  {
    revocation_endpoint,
    client_secret,
    access_token,
    refresh_token,
    ...client
  }: Omit<TokenClient, 'client_secret'> & SealedRow,
): EndedConnection {
  const open = (column: Parameters<typeof openForConnection>[2], sealed: string | null) => {
    try {
      return sealed === null ? undefined : openForConnection(secretBox, owner, column, sealed);
    } catch {
      return undefined;
    }
  };
  const token = open('refresh_token', refresh_token) ?? open('access_token', access_token);
  return { client: { ...client, client_secret: open('client_secret', client_secret) }, revocation_endpoint, token };
}

/** Deletes the user's sessions at the server, because they belong to the account that opened them. */
async function forgetSessions(tx: Tx, { server, userId }: ConnectionOwner): Promise<void> {
  const where = { server_id: server.id, user_id: userId };
  await tx.mcpSharedSession.deleteMany({ where });
  await tx.mcpUpstreamSession.deleteMany({ where });
  await tx.mcpWaitingCall.deleteMany({ where });
  await tx.mcpSession.deleteMany({ where });
}
