import {
  ACCOUNT_COLUMNS,
  accessTokenId,
  accountRole,
  effectiveScopes,
  isAdminScope,
  hashSecret,
  newOpaqueSecret,
  noteClientUse,
  rolesOf,
  rolesWith,
  userOf,
  worksInItsProject,
  type AccountRow,
  type Principal,
  type Project,
  type Role,
  type TokenClaims,
} from '@millwright/auth';
import type { ActorClaim } from '@millwright/auth/actors';
import { isIdentityScope } from '@millwright/auth/identity-scopes';
import { recordDecision, type Actor } from '@millwright/audit';
import { isLiveDelegation } from '@millwright/mcp/agent-hops';
import { createOneAtATime, encodeId, isUuid, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { RequestOrigin } from '@millwright/http/protocol';
import { ownerAsActor, type Client } from './clients.store.js';
import { grantScopes } from './scopes.js';

/** The data from which tokens are minted. */
export interface Grant {
  grantId: string;
  userId: string;
  scopes: string[];
  /** The audiences of the grant's tokens. Empty: the whole runtime API. */
  resources: string[];
  /** The user's sign-in, for id tokens; undefined for a grant without a user's consent. */
  signIn?: SignIn;
  /** The chain of actors for which the client of the tokens acts. */
  act?: ActorClaim | undefined;
}

/** The sign-in that an id token describes. */
export interface SignIn {
  user: Principal['user'];
  /** Time of the sign-in; undefined when unknown. */
  authTime: Date | undefined;
  /** The nonce of the authorization request; undefined for refresh tokens (OpenID Connect Core 1.0 §12.2). */
  nonce?: string | undefined;
}

export interface NewGrant {
  user: AccountRow;
  project: Project;
  kind: 'client_credentials' | 'authorization_code' | 'assertion' | 'exchange';
  scopes: readonly string[];
  resources: readonly string[];
  /** Thumbprint of the key to which the refresh tokens are bound. */
  jkt?: string | undefined;
  /** Time at which the consenting user signed in. */
  authTime?: Date | undefined;
}

/** The grant to which a refresh token belongs. */
export interface Refreshed extends Omit<Grant, 'signIn'>, AccountRow {
  authTime: Date | null;
}

/** A grant, active or ended, with its client and its account. It is read for every request with an access token. */
export interface GrantRow extends AccountRow {
  id: string;
  client: string;
  used_recently: boolean;
  scopes: string[];
  mcp_tools: string[];
  project: Project;
  client_id: string;
  client_scopes: string[];
  /** The roles of the client's owner; `null` for a client that registered itself. */
  owner_role: AccountRow['user_role'] | null;
  owner_delegated_role: AccountRow['user_delegated_role'];
  live: boolean;
  /** Access tokens that were revoked individually; `null` when there are none. */
  ended_tokens: string[] | null;
}

const REVOKED_BY_CLIENT = 'revoked by its client';
const DAY_MS = 86_400_000;
const REFRESH_TOKEN_DAYS = 30;
const REFRESH_PREFIX = 'mw_refresh_';
/**
 * Lifetime of a grant. It is one day longer than the lifetime of a refresh token, so that a grant needs to be extended only once a day and
 * not for each refresh token.
 */
const GRANT_DAYS = REFRESH_TOKEN_DAYS + 1;
/** Limit of a grant's unexpired access tokens that can be revoked individually. The revocation of one more token ends the grant. */
const MOST_ENDED_TOKENS = 200;
/**
 * Limit of the attempts to redeem a refresh token. An attempt is repeated when the rights of the grant or of its account changed during the
 * attempt.
 */
const REDEEM_TRIES = 3;
/** Number of a client's newest grants among which a grant to reuse is searched for. */
const REUSE_AMONG = 100;

/**
 * SQL condition that the grant `g` is live: it was not revoked, and the credentials of the account `u` were not revoked since (its epoch is
 * still that of the account).
 */
const IS_LIVE = 'g.revoked_at IS NULL AND g.epoch = u.grants_epoch';

/**
 * SQL condition that a client `c` from Settings has not expired. For other clients, the column has another meaning: the end of an unused
 * registration, or the time at which a document must be read again.
 */
const CLIENT_LASTS = `(c.kind <> 'settings' OR c.expires_at IS NULL OR c.expires_at > now())`;

/** Select list and tables for {@link GrantRow}. */
export const GRANT_COLUMNS = `g.id, g.scopes, g.ended_tokens, c.mcp_tools, g.project, c.client_id, c.id AS client, c.scopes AS client_scopes,
  owner.role AS owner_role, owner.delegated_role AS owner_delegated_role, ${ACCOUNT_COLUMNS},
  ${IS_LIVE} AND c.revoked_at IS NULL AND ${CLIENT_LASTS} AND u.status = 'active' AND ${worksInItsProject('g')}
    AND (owner.id IS NULL OR owner.status = 'active') AS live,
  coalesce(c.last_used_at > now() - interval '1 minute', false) AS used_recently`;
export const GRANTS = `oauth_grants g JOIN oauth_clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id
  LEFT JOIN users owner ON owner.id = c.user_id`;

export const isGrantId = isUuid;

/** Formats an access token for the grant's list of revoked tokens. */
const entryOf = ({ exp, jti }: Pick<TokenClaims, 'exp' | 'jti'>): string => `${exp}.${jti}`;

/**
 * Whether a credential with a chain of actors may have the scope: an agent may not decide about calls in place of a person, may not
 * administer, and cannot prove that the person has signed in.
 */
export const isDelegable = (scope: string): boolean =>
  scope !== 'runs:approve' && !isAdminScope(scope) && !isIdentityScope(scope);

/**
 * The principal of an access token, read from the token's grant. `undefined` once the grant, client, account or an actor of the token's
 * chain has ended, and when token and grant name different accounts.
 */
export async function principalOf(
  db: Database,
  row: GrantRow | undefined,
  { sub, scope, act, txn, ...token }: Pick<TokenClaims, 'sub' | 'scope' | 'exp' | 'jti' | 'act' | 'txn'>,
): Promise<Principal | undefined> {
  if (!row?.live || row.user_id !== sub || row.ended_tokens?.includes(entryOf(token))) return undefined;
  if (act && !(await isLiveDelegation(db, { act }))) return undefined;
  if (!row.used_recently) noteClientUse(db, row.client);
  const roles = rolesOf(row);
  return {
    user: userOf(row),
    project: row.project,
    roles,
    scopes: grantScopes(
      scope.split(' ').filter((one) => row.scopes.includes(one) && (!act || isDelegable(one))),
      effectiveScopes(row.client_scopes, ownerRoles(row)),
      roles,
    ),
    credential: { kind: 'access_token', id: accessTokenId(row.client_id, row.user_id), plan: 'standard' },
    mcpTools: row.mcp_tools,
    ...(act && { delegation: { act, grant: row.id, token: entryOf(token), txn } }),
  };
}

/**
 * The roles that limit the client's scopes: the roles of the client's owner. A self-registered client has no owner, so only the roles of
 * its user limit its scopes.
 */
const ownerRoles = ({ owner_role: role, owner_delegated_role: delegated_role }: GrantRow): readonly Role[] =>
  rolesWith(role === null ? 'admin' : accountRole({ role, delegated_role }));

/**
 * SQL condition that a grant is not older than the maximum age of a user's consent. A client's own grant has no such limit, because the
 * client can get the same tokens by its secret.
 */
const isWithin = (maxDays: number) =>
  `(g.kind = 'client_credentials' OR g.created_at > now() - make_interval(days => ${maxDays}))`;

/**
 * SQL condition that the refresh token `t` is unused and that its client may use it now. `$1` is the hash of the token, `$2` the id of the
 * client.
 */
const isUsable = (maxDays: number) => `t.token_hash = $1 AND t.used_at IS NULL AND t.expires_at > now() AND ${IS_LIVE}
  AND g.client_id = $2 AND u.status = 'active' AND ${worksInItsProject('g')} AND ${isWithin(maxDays)}`;

/** SQL that extends the grant in the common table expression `from`. The grant then expires later than its new refresh token. */
const prolonged = (
  from: string,
) => `UPDATE oauth_grants g SET expires_at = now() + make_interval(days => ${GRANT_DAYS}) FROM ${from}
  WHERE g.id = ${from}.id AND (g.expires_at IS NULL OR g.expires_at < now() + make_interval(days => ${REFRESH_TOKEN_DAYS}))`;

/**
 * SQL that stores a refresh token for the grant in the common table expression `from`.
 * @param id number of the parameter with the token's id; the next parameter is the token's hash
 */
const successor = (from: string, id: number) => `INSERT INTO oauth_refresh_tokens (id, grant_id, token_hash, expires_at)
  SELECT $${id}::uuid, ${from}.id, $${id + 1}::bytea, now() + make_interval(days => ${REFRESH_TOKEN_DAYS}) FROM ${from}
  RETURNING grant_id`;

/**
 * SQL that marks a refresh token as used and stores its successor, in one statement and thus in one transaction. It does nothing when the
 * rights of the grant or of the account have changed since they were read.
 */
const redeemed = (maxDays: number) => `
  WITH used AS (
    UPDATE oauth_refresh_tokens t SET used_at = now() FROM oauth_grants g JOIN users u ON u.id = g.user_id
     WHERE g.id = t.grant_id AND ${isUsable(maxDays)} AND g.scopes = $5::text[] AND g.resources = $6::text[]
       AND u.role = $7 AND u.delegated_role IS NOT DISTINCT FROM $8::text AND u.platform_admin = $9
    RETURNING g.id),
  prolonged AS (${prolonged('used')})
  ${successor('used', 3)}`;

/** Issues a refresh token on one of the client's newest live grants with the same kind and rights. */
const REUSE = `
  WITH found AS (
    SELECT g.id FROM users u, LATERAL (
        SELECT * FROM oauth_grants WHERE client_id = $1 ORDER BY created_at DESC LIMIT ${REUSE_AMONG}) g
     WHERE u.id = $2 AND g.user_id = u.id AND g.project = $5 AND g.kind = $6
       AND g.scopes = $7::text[] AND g.resources = $8::text[] AND ${IS_LIVE}
     LIMIT 1),
  prolonged AS (${prolonged('found')})
  ${successor('found', 3)}`;

async function mintRefreshToken(tx: Tx, grantId: string): Promise<string> {
  const token = newOpaqueSecret(REFRESH_PREFIX);
  const expires_at = new Date(Date.now() + REFRESH_TOKEN_DAYS * DAY_MS);
  await tx.oAuthRefreshToken.create({
    data: { id: newId(), grant_id: grantId, token_hash: new Uint8Array(hashSecret(token)), expires_at },
  });
  return token;
}

/**
 * Returns the epoch for a new grant. Locks the account, so that a concurrent revocation of the account's credentials waits and then ends
 * the grant too.
 */
async function lockEpoch(tx: Tx, userId: string): Promise<number> {
  const [user] = await tx.$queryRaw<{ epoch: number }[]>`
    SELECT grants_epoch AS epoch FROM users WHERE id = ${userId}::uuid FOR SHARE`;
  if (!user) throw new Error('the account is gone');
  return user.epoch;
}

/** Issues another refresh token on an existing grant with the same kind and rights; undefined when there is none. */
async function reuseGrant(db: Database, client: Client, { user, project, kind, scopes, resources }: NewGrant) {
  const refreshToken = newOpaqueSecret(REFRESH_PREFIX);
  const [found] = await db.prepared<{ grant_id: string }>('reuse-oauth-grant', REUSE, [
    ...[client.id, user.user_id, newId(), hashSecret(refreshToken), project, kind],
    ...[[...scopes], [...resources]],
  ]);
  return found && { grantId: found.grant_id, refreshToken };
}

/** Opens a grant with its first refresh token. From then on, the client's registration does not expire. */
export async function openGrant(tx: Tx, client: Client, origin: RequestOrigin, grant: NewGrant) {
  const { user, project, kind, scopes, resources, jkt, authTime } = grant;
  const { id: grantId } = await tx.oAuthGrant.create({
    data: {
      id: newId(),
      client_id: client.id,
      user_id: user.user_id,
      project,
      kind,
      scopes: [...scopes],
      resources: [...resources],
      // A confidential client proves itself when it uses a refresh token (RFC 9449 §5).
      dpop_jkt: client.auth_method === 'none' ? (jkt ?? null) : null,
      auth_time: authTime ?? null,
      epoch: await lockEpoch(tx, user.user_id),
      expires_at: new Date(Date.now() + GRANT_DAYS * DAY_MS),
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

/** Ends a grant and its tokens. `false` when the grant had ended before or belongs to another client. */
export async function revokeGrant(tx: Tx, client: Client, origin: RequestOrigin, grantId: string, reason: string) {
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

/**
 * Revokes an access token. Of a client's own grant, it ends only this token, because the client's other requests use the other tokens of
 * the grant. An access token of a user's consent ends together with its grant (RFC 7009 §2.1 permits both).
 */
async function revokeAccessToken(tx: Tx, client: Client, origin: RequestOrigin, claims: TokenClaims): Promise<void> {
  const { sid: grantId } = claims;
  const [grant] = await tx.$queryRaw<
    { kind: string; ended: string[]; project: string; user_id: string; name: string }[]
  >`
    SELECT g.kind, g.project, g.user_id, u.name, ARRAY(
        SELECT token FROM unnest(g.ended_tokens) token WHERE split_part(token, '.', 1)::bigint > extract(epoch FROM now())) AS ended
      FROM oauth_grants g JOIN users u ON u.id = g.user_id
     WHERE g.id = ${grantId}::uuid AND g.client_id = ${client.id}::uuid AND g.revoked_at IS NULL FOR UPDATE OF g`;
  if (!grant || grant.ended.includes(entryOf(claims))) return;
  if (grant.kind !== 'client_credentials' || grant.ended.length >= MOST_ENDED_TOKENS) {
    await revokeGrant(tx, client, origin, grantId, REVOKED_BY_CLIENT);
    return;
  }
  const ended = [...grant.ended, entryOf(claims)];
  await tx.$executeRaw`UPDATE oauth_grants SET ended_tokens = ${ended}::text[] WHERE id = ${grantId}::uuid`;
  const actor: Actor = { userId: grant.user_id, kind: 'user', label: grant.name, ...origin };
  const resource = encodeId('cli', client.id);
  const detail = { grant: grantId, token: claims.jti };
  await recordDecision(tx, { actor, action: 'oauth_token.revoke', resource, project: grant.project, detail });
}

/** Grants and refresh tokens. The only file of the runtime API that reads and writes them. */
export function createGrantStore(db: Database, { maxDays }: { maxDays: number }) {
  const oneAtATime = createOneAtATime();
  // Finds no token that is bound to another key than the key of the request. Such a token then stays valid.
  const GRANTED = `
    SELECT g.id AS "grantId", g.user_id AS "userId", g.scopes, g.resources, g.auth_time AS "authTime", ${ACCOUNT_COLUMNS}
      FROM oauth_refresh_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
     WHERE ${isUsable(maxDays)} AND coalesce(g.dpop_jkt = $3, true)`;
  const REDEEM = redeemed(maxDays);
  return {
    /** Finds the principal in one query per request; grant, client and user must all be active. */
    async findPrincipal(claims: TokenClaims): Promise<Principal | undefined> {
      if (!isGrantId(claims.sid)) return undefined;
      const text = `SELECT ${GRANT_COLUMNS} FROM ${GRANTS} WHERE g.id = $1`;
      const [row] = await db.prepared<GrantRow>('find-oauth-grant', text, [claims.sid]);
      return principalOf(db, row, claims);
    },

    /**
     * Issues a refresh token for an active grant of the client that has the same rights, or for a new grant. A program that requests a
     * token every minute therefore has only one grant.
     */
    openOrReuse: async (client: Client, origin: RequestOrigin, grant: NewGrant) =>
      (await reuseGrant(db, client, grant)) ?? db.transaction((tx) => openGrant(tx, client, origin, grant)),

    /** Ends the grant of a refresh token with all its tokens. */
    revoke: (client: Client, origin: RequestOrigin, grantId: string) =>
      db.transaction((tx) => revokeGrant(tx, client, origin, grantId, REVOKED_BY_CLIENT)),

    /** Ends an access token. Also ends its grant, unless it is the client's own grant. */
    async revokeAccessToken(client: Client, origin: RequestOrigin, claims: TokenClaims): Promise<void> {
      if (isGrantId(claims.sid)) await db.transaction((tx) => revokeAccessToken(tx, client, origin, claims));
    },

    /** The active grant and the expiry of one of the client's refresh tokens. */
    async findRefreshToken(client: Client, refreshToken: string) {
      const [row] = await db.prepared<
        Omit<Refreshed, 'resources' | 'authTime'> & Record<'expires_at' | 'created_at', Date> & { jkt: string | null }
      >(
        'find-refresh-token',
        `SELECT g.id AS "grantId", g.user_id AS "userId", g.scopes, t.expires_at, t.created_at, g.dpop_jkt AS jkt, ${ACCOUNT_COLUMNS}
           FROM oauth_refresh_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
          WHERE ${isUsable(maxDays)}`,
        [hashSecret(refreshToken), client.id],
      );
      return row;
    },

    /**
     * Redeems a refresh token and mints its successor. A second use revokes the grant and all its tokens (RFC 9700 §4.14.2).
     * `undefined` when the token is not valid for this client and key. When `narrow` throws, the token stays valid.
     */
    rotate(
      client: Client,
      origin: RequestOrigin,
      { refreshToken, jkt }: { refreshToken: string; jkt: string | undefined },
      narrow: (granted: Refreshed) => Pick<Grant, 'scopes' | 'resources'>,
    ): Promise<(Grant & { refreshToken: string }) | undefined> {
      const hash = hashSecret(refreshToken);
      const revokeReused = async (tx: Tx) => {
        const [reused] = await tx.$queryRaw<{ id: string }[]>`
          SELECT g.id FROM oauth_grants g JOIN oauth_refresh_tokens t ON t.grant_id = g.id
           WHERE t.token_hash = ${hash} AND t.used_at IS NOT NULL AND g.client_id = ${client.id}::uuid`;
        if (reused) await revokeGrant(tx, client, origin, reused.id, 'refresh token reused');
      };
      const redeem = async () => {
        for (let n = 0; n < REDEEM_TRIES; n += 1) {
          const [granted] = await db.prepared<Refreshed>('find-granted', GRANTED, [hash, client.id, jkt ?? '']);
          if (!granted) {
            await db.transaction(revokeReused);
            return undefined;
          }
          const narrowed = narrow(granted);
          const token = newOpaqueSecret(REFRESH_PREFIX);
          const { grantId, userId, authTime } = granted;
          const rights = [granted.user_role, granted.user_delegated_role, granted.user_platform_admin];
          const [used] = await db.prepared('redeem-refresh-token', REDEEM, [
            ...[hash, client.id, newId(), hashSecret(token)],
            ...[granted.scopes, granted.resources, ...rights],
          ]);
          const signIn = { user: userOf(granted), authTime: authTime ?? undefined };
          if (used) return { grantId, userId, ...narrowed, signIn, refreshToken: token };
        }
        throw new AppError('unavailable', { retryAfter: 1 });
      };
      return oneAtATime(hash.toString('base64url'), redeem);
    },
  };
}
export type GrantStore = ReturnType<typeof createGrantStore>;
