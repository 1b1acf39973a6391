import {
  ACCOUNT_COLUMNS,
  effectiveScopes,
  hashSecret,
  newOpaqueSecret,
  noteClientUse,
  rolesOf,
  userOf,
  worksInItsProject,
  type AccountRow,
  type Principal,
  type Project,
  type TokenClaims,
} from '@millwright/auth';
import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import { ownerAsActor, type Client, type Origin } from './clients.store.js';

/** What tokens are minted from. */
export interface Grant {
  grantId: string;
  userId: string;
  scopes: string[];
  /** What the tokens may be sent to; none: all of area C. */
  resources: string[];
}

export interface NewGrant {
  user: AccountRow;
  project: Project;
  kind: 'client_credentials' | 'authorization_code';
  scopes: readonly string[];
  resources: readonly string[];
}

/** What a refresh token stands for. */
export interface Refreshed extends Grant {
  isAdmin: boolean;
}

/** A live or ended grant with its client and its account, as every request of an access token reads it. */
export interface GrantRow extends AccountRow {
  id: string;
  client: string;
  used_recently: boolean;
  scopes: string[];
  mcp_tools: string[];
  project: Project;
  client_id: string;
  live: boolean;
}

const REFRESH_TOKEN_DAYS = 30;

/** Select list and tables for {@link GrantRow}. */
export const GRANT_COLUMNS = `g.id, g.scopes, c.mcp_tools, g.project, c.client_id, c.id AS client, ${ACCOUNT_COLUMNS},
  g.revoked_at IS NULL AND c.revoked_at IS NULL AND u.status = 'active' AND ${worksInItsProject('g')} AS live,
  coalesce(c.last_used_at > now() - interval '1 minute', false) AS used_recently`;
export const GRANTS = 'oauth_grants g JOIN oauth_clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id';

export const isGrantId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/**
 * The principal of an access token, by the grant that it names. `undefined` once grant, client or account is not live, and for a token
 * that names another account than its grant does.
 */
export function principalOf(
  db: Database,
  row: GrantRow | undefined,
  { sub, scope }: Pick<TokenClaims, 'sub' | 'scope'>,
): Principal | undefined {
  if (!row?.live || row.user_id !== sub) return undefined;
  if (!row.used_recently) noteClientUse(db, row.client);
  const roles = rolesOf(row);
  return {
    user: userOf(row),
    project: row.project,
    roles,
    scopes: effectiveScopes(
      scope.split(' ').filter((one) => row.scopes.includes(one)),
      roles.includes('admin'),
    ),
    credential: { kind: 'access_token', id: `${row.client_id}:${row.user_id}`, plan: 'standard' },
    mcpTools: row.mcp_tools,
  };
}

const USE_REFRESH_TOKEN = `
  UPDATE oauth_refresh_tokens t SET used_at = now() FROM oauth_grants g JOIN users u ON u.id = g.user_id
   WHERE t.token_hash = $1 AND t.used_at IS NULL AND t.expires_at > now() AND g.id = t.grant_id AND g.revoked_at IS NULL
     AND g.client_id = $2::uuid AND u.status = 'active' AND ${worksInItsProject('g')}
  RETURNING g.id AS "grantId", g.user_id AS "userId", g.scopes, g.resources, u.role = 'admin' AS "isAdmin"`;

async function mintRefreshToken(tx: Tx, grantId: string): Promise<string> {
  const token = newOpaqueSecret('mw_refresh_');
  const expires_at = new Date(Date.now() + REFRESH_TOKEN_DAYS * 86_400_000);
  await tx.oAuthRefreshToken.create({
    data: { id: newId(), grant_id: grantId, token_hash: new Uint8Array(hashSecret(token)), expires_at },
  });
  return token;
}

/** A grant with its first refresh token. The client's registration is kept from now on. */
export async function openGrant(tx: Tx, client: Client, origin: Origin, grant: NewGrant) {
  const { user, project, kind, scopes, resources } = grant;
  const { id: grantId } = await tx.oAuthGrant.create({
    data: {
      id: newId(),
      client_id: client.id,
      user_id: user.user_id,
      project,
      kind,
      scopes: [...scopes],
      resources: [...resources],
    },
  });
  if (client.kind === 'registered')
    await tx.oAuthClient.update({ where: { id: client.id }, data: { expires_at: null } });
  const detail = { grant: grantId, scopes: [...scopes], ...(resources.length > 0 && { resources: [...resources] }) };
  const resource = encodeId('cli', client.id);
  const actor = ownerAsActor(user, origin);
  await recordDecision(tx, { actor, action: 'oauth_grant.create', resource, project, detail });
  return { grantId, refreshToken: await mintRefreshToken(tx, grantId) };
}

/** Ends a grant with all that came of it. `false` when it had ended before, or is not the client's. */
export async function revokeGrant(tx: Tx, client: Client, origin: Origin, grantId: string, reason: string) {
  const [ended] = await tx.$queryRaw<{ project: string; user_id: string; name: string }[]>`
    UPDATE oauth_grants g SET revoked_at = now() FROM users u
     WHERE g.id = ${grantId}::uuid AND g.client_id = ${client.id}::uuid AND g.revoked_at IS NULL AND u.id = g.user_id
    RETURNING g.project, g.user_id, u.name`;
  if (!ended) return false;
  const actor: Actor = { userId: ended.user_id, kind: 'user', label: ended.name, ...origin };
  const resource = encodeId('cli', client.id);
  const detail = { grant: grantId, reason };
  await recordDecision(tx, { actor, action: 'oauth_grant.revoke', resource, project: ended.project, detail });
  return true;
}

/** The only file that reads and writes grants and refresh tokens for area C. */
export function createGrantStore(db: Database) {
  return {
    /** One query a request: grant, client and user must all be live. */
    async findPrincipal(claims: TokenClaims): Promise<Principal | undefined> {
      if (!isGrantId(claims.sid)) return undefined;
      const text = `SELECT ${GRANT_COLUMNS} FROM ${GRANTS} WHERE g.id = $1`;
      const [row] = await db.prepared<GrantRow>('find-oauth-grant', text, [claims.sid]);
      return principalOf(db, row, claims);
    },

    open: (client: Client, origin: Origin, grant: NewGrant) =>
      db.transaction((tx) => openGrant(tx, client, origin, grant)),

    revoke: (client: Client, origin: Origin, grantId: string, reason: string) =>
      db.transaction((tx) => revokeGrant(tx, client, origin, grantId, reason)),

    /** The live grant and end of life of one of the client's refresh tokens. */
    async findRefreshToken(client: Client, refreshToken: string) {
      const [row] = await db.prepared<{
        grantId: string;
        userId: string;
        scopes: string[];
        expires_at: Date;
        created_at: Date;
      }>(
        'find-refresh-token',
        `SELECT g.id AS "grantId", g.user_id AS "userId", g.scopes, t.expires_at, t.created_at
           FROM oauth_refresh_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
          WHERE t.token_hash = $1 AND t.used_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL
            AND u.status = 'active' AND ${worksInItsProject('g')} AND g.client_id = $2`,
        [hashSecret(refreshToken), client.id],
      );
      return row;
    },

    /**
     * Uses a refresh token up and mints its successor. A token that was used before revokes its grant with all that came of it
     * (RFC 9700 §4.14.2). `undefined` when the token is not good for this client. When `narrow` throws, the token stays good.
     */
    rotate(
      client: Client,
      origin: Origin,
      refreshToken: string,
      narrow: (granted: Refreshed) => Pick<Grant, 'scopes' | 'resources'>,
    ): Promise<(Grant & { refreshToken: string }) | undefined> {
      const hash = hashSecret(refreshToken);
      return db.transaction(async (tx) => {
        const [granted] = await tx.$queryRawUnsafe<Refreshed[]>(USE_REFRESH_TOKEN, hash, client.id);
        if (granted) {
          const { grantId, userId } = granted;
          const narrowed = narrow(granted);
          return { grantId, userId, ...narrowed, refreshToken: await mintRefreshToken(tx, grantId) };
        }
        const [reused] = await tx.$queryRaw<{ id: string }[]>`
          SELECT g.id FROM oauth_grants g JOIN oauth_refresh_tokens t ON t.grant_id = g.id
           WHERE t.token_hash = ${hash} AND t.used_at IS NOT NULL AND g.client_id = ${client.id}::uuid`;
        if (reused) await revokeGrant(tx, client, origin, reused.id, 'refresh token reused');
        return undefined;
      });
    },
  };
}
export type GrantStore = ReturnType<typeof createGrantStore>;
