import {
  ACCOUNT_COLUMNS,
  effectiveScopes,
  hashSecret,
  newOpaqueSecret,
  noteClientUse,
  rolesOf,
  userOf,
  type AccountRow,
  type ClientSecrets,
  type Principal,
  type Project,
} from '@millwright/auth';
import { recordDecision, recordDenial, type Actor } from '@millwright/audit';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';

/** A client as the token endpoint knows it, with its owner. */
export interface ClientRow extends AccountRow, ClientSecrets {
  id: string;
  client_id: string;
  name: string;
  scopes: string[];
  project: Project;
  revoked: boolean;
}

/** Where a request came from, for the trail. */
export interface Origin {
  requestId: string;
  ip: string;
}

/** What a refresh token stands for. */
export interface RefreshedGrant {
  grantId: string;
  userId: string;
  project: Project;
  scopes: string[];
}

interface GrantRow extends AccountRow {
  id: string;
  client: string;
  used_recently: boolean;
  scopes: string[];
  project: Project;
  client_id: string;
  live: boolean;
}

const REFRESH_TOKEN_DAYS = 30;

const FIND_CLIENT = `
  SELECT c.id, c.client_id, c.name, c.secret_hash, c.previous_secret_hash, c.previous_secret_until, c.scopes, c.project, c.revoked_at IS NOT NULL AS revoked, ${ACCOUNT_COLUMNS}
    FROM oauth_clients c JOIN users u ON u.id = c.user_id WHERE c.client_id = $1`;

/** One query a request: the grant, its client and its user must all be live. */
const FIND_GRANT = `
  SELECT g.id, g.scopes, g.project, c.client_id, c.id AS client, ${ACCOUNT_COLUMNS},
         g.revoked_at IS NULL AND c.revoked_at IS NULL AND u.status = 'active' AS live,
         coalesce(c.last_used_at > now() - interval '1 minute', false) AS used_recently
    FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id WHERE g.id = $1`;

/** The only file that reads and writes clients, grants and refresh tokens for area C. */
export function createGrantStore(db: Database) {
  async function mintRefreshToken(tx: Tx, grantId: string): Promise<string> {
    const token = newOpaqueSecret('mw_refresh_');
    const expires_at = new Date(Date.now() + REFRESH_TOKEN_DAYS * 86_400_000);
    await tx.oAuthRefreshToken.create({
      data: { id: newId(), grant_id: grantId, token_hash: new Uint8Array(hashSecret(token)), expires_at },
    });
    return token;
  }

  const actorOf = (client: ClientRow, origin: Origin): Actor => ({
    userId: client.user_id,
    kind: 'user',
    label: client.user_name,
    ...origin,
  });

  return {
    async findClient(clientId: string): Promise<ClientRow | undefined> {
      const [row] = await db.prepared<ClientRow>('find-oauth-client', FIND_CLIENT, [clientId]);
      return row;
    },

    /** A client that proved itself was used. */
    noteUse: (client: ClientRow): void => noteClientUse(db, client.id),

    /** Keeps the attempt of a client that proved itself and is refused all the same. */
    async recordRefusal(client: ClientRow, origin: Origin, reason: string): Promise<void> {
      const resource = encodeId('cli', client.id);
      await recordDenial(
        db,
        { actor: actorOf(client, origin), action: 'oauth_token.issue', resource, project: client.project },
        reason,
      );
    },

    /** The principal of an access token, by the grant that it names. `undefined` once grant, client or account is not live. */
    async findPrincipal(grantId: string, tokenScopes: readonly string[]): Promise<Principal | undefined> {
      const [row] = await db.prepared<GrantRow>('find-oauth-grant', FIND_GRANT, [grantId]);
      if (!row?.live) return undefined;
      if (!row.used_recently) noteClientUse(db, row.client);
      const roles = rolesOf(row);
      return {
        user: userOf(row),
        project: row.project,
        roles,
        scopes: effectiveScopes(
          tokenScopes.filter((scope) => row.scopes.includes(scope)),
          roles.includes('admin'),
        ),
        credential: { kind: 'access_token', id: `${row.client_id}:${row.user_id}`, plan: 'standard' },
      };
    },

    /** A grant of the client to itself, on its owner's account, with its first refresh token. */
    openGrant(
      client: ClientRow,
      origin: Origin,
      scopes: readonly string[],
    ): Promise<{ grantId: string; refreshToken: string }> {
      return db.transaction(async (tx) => {
        const { id: grantId } = await tx.oAuthGrant.create({
          data: {
            id: newId(),
            client_id: client.id,
            user_id: client.user_id,
            project: client.project,
            kind: 'client_credentials',
            scopes: [...scopes],
          },
        });
        const detail = { grant: grantId, scopes: [...scopes] };
        const resource = encodeId('cli', client.id);
        const entry = {
          actor: actorOf(client, origin),
          action: 'oauth_grant.create',
          resource,
          project: client.project,
          detail,
        };
        await recordDecision(tx, entry);
        return { grantId, refreshToken: await mintRefreshToken(tx, grantId) };
      });
    },

    /**
     * Uses a refresh token up and mints its successor. A token that was used before revokes its grant with all that came of it
     * (RFC 9700 §4.14.2). `undefined` when the token is not good for this client. When `narrow` throws, the token stays good.
     */
    rotate(
      client: ClientRow,
      origin: Origin,
      refreshToken: string,
      narrow: (granted: readonly string[]) => string[],
    ): Promise<(RefreshedGrant & { refreshToken: string }) | undefined> {
      const hash = hashSecret(refreshToken);
      return db.transaction(async (tx) => {
        const [grant] = await tx.$queryRaw<RefreshedGrant[]>`
          UPDATE oauth_refresh_tokens t SET used_at = now() FROM oauth_grants g
           WHERE t.token_hash = ${hash} AND t.used_at IS NULL AND t.expires_at > now()
             AND g.id = t.grant_id AND g.revoked_at IS NULL AND g.client_id = ${client.id}::uuid
          RETURNING g.id AS "grantId", g.user_id AS "userId", g.project, g.scopes`;
        if (grant) {
          const scopes = narrow(grant.scopes);
          return { ...grant, scopes, refreshToken: await mintRefreshToken(tx, grant.grantId) };
        }
        const [reused] = await tx.$queryRaw<{ id: string }[]>`
          UPDATE oauth_grants g SET revoked_at = now() FROM oauth_refresh_tokens t
           WHERE t.token_hash = ${hash} AND t.used_at IS NOT NULL AND g.id = t.grant_id AND g.revoked_at IS NULL
             AND g.client_id = ${client.id}::uuid RETURNING g.id`;
        if (reused) {
          const resource = encodeId('cli', client.id);
          const detail = { grant: reused.id, reason: 'refresh token reused' };
          const entry = {
            actor: actorOf(client, origin),
            action: 'oauth_grant.revoke',
            resource,
            project: client.project,
            detail,
          };
          await recordDecision(tx, entry);
        }
        return undefined;
      });
    },
  };
}
export type GrantStore = ReturnType<typeof createGrantStore>;
