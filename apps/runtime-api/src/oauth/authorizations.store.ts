import { lockActiveAccount } from '@millwright/accounts';
import { ACCOUNT_COLUMNS, hashSecret, newOneTimeToken, userOf, type AccountRow, type Project } from '@millwright/auth';
import { hashUserCode, newUserCode } from '@millwright/auth/user-codes';
import { createOneAtATime, isUuid, newId, Prisma, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { RequestOrigin } from '@millwright/http/protocol';
import type { Client } from './clients.store.js';
import { openGrant, revokeGrant, type Grant } from './grants.store.js';
import type { OpenIdRequest } from './openid-request.js';
import { clientScopes, scopesOfClient } from './scopes.js';

/** A checked authorization request, ready for sign-in and consent. */
export interface NewAuthorization {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: readonly string[];
  resources: readonly string[];
  codeChallenge: string | undefined;
  /** Thumbprint of the key to which the code is bound (RFC 9449 §10). */
  jkt: string | undefined;
  /** Request for an id token; undefined when the client requests no id token. */
  openId: OpenIdRequest | undefined;
  /** Row id of the only user whom the client accepts. Without this field, the client accepts any user. */
  hintedUserId?: string;
}

/** An authorization request that a browser has started. */
export interface BegunAuthorization {
  /** Id of the request in the address of the console. */
  request: string;
  /** Value of the browser's cookie. */
  browser: string;
  /** Whether the console must show no page (`prompt=none`). */
  isSilent: boolean;
}

/** Parameters with which the browser returns from the console. */
export interface Returned {
  request: string;
  ticket: string;
  /** Value of the cookie in the browser that started the request. */
  browser: string;
}

/** The parameters of the redirect that answers the client. */
export interface Answer {
  redirectUri: string;
  state: string | null;
  /** Authorization code; undefined when the request was denied. */
  code: string | undefined;
  /** The error code of a denied request. */
  refusal: string;
  clientUuid: string;
}

export interface Redemption {
  code: string;
  redirectUri: string | undefined;
  /** The challenge computed from the client's verifier; `undefined` when the token request has no verifier. */
  challenge: string | undefined;
  /** Thumbprint of the key that the client has proved to hold. */
  jkt: string | undefined;
  /** Reduces the granted resources to those that the token request names. */
  narrow: (granted: readonly string[]) => string[];
}

export interface DevicePoll {
  deviceCode: string;
  jkt: string | undefined;
  narrow: Redemption['narrow'];
}

/** Why a device code yields no tokens (RFC 8628 §3.5). `invalid_grant` means an unknown or used code. */
export type DeviceRefusal = 'authorization_pending' | 'access_denied' | 'expired_token' | 'invalid_grant';

interface DeviceRow extends AccountRow {
  id: string;
  auth_time: Date | null;
  granted: string[];
  resources: string[];
  user_project: Project;
}

interface CodeRow extends DeviceRow {
  client_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  dpop_jkt: string | null;
  nonce: string | null;
}

/** The lifetime of an authorization request, in seconds. It is long enough for sign-in and consent. */
export const REQUEST_SECONDS = 600;
const REQUEST_MS = REQUEST_SECONDS * 1_000;
const CODE_MS = 60_000;
/** Seconds within which the browser must start a pushed request. */
export const PUSHED_SECONDS = 90;
const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';

/** Maximum number of open authorization requests. */
const MAX_UNDER_WAY = 50_000;

const bytes = (secret: string) => new Uint8Array(hashSecret(secret));

/** Stored instead of a redirect URI for the request of a device, which polls for its answer. No client can register this value. */
export const OF_DEVICE = '';

/**
 * Hash of a pushed request. The prefix makes it different from the hash that a started request with the same token would have. A pushed
 * request is therefore not accepted as a started request, and a started request is not accepted as a pushed request.
 */
const pushedHash = (requestUri: string) => bytes(`pushed ${requestUri.slice(REQUEST_URI.length)}`);

/** Stores authorization requests and codes. Each step is a conditional update, so that it happens only once. */
export function createAuthorizationStore(db: Database) {
  const oneAtATime = createOneAtATime();
  return {
    /** Stores a request and its browser's cookie. @throws AppError unavailable when too many requests are open. */
    async begin(authorization: NewAuthorization): Promise<BegunAuthorization> {
      const [request, browser] = [newOneTimeToken(), newOneTimeToken()];
      await insert(db, authorization, { request_hash: bytes(request), browser_hash: bytes(browser) }, REQUEST_MS);
      return { request, browser, isSilent: isSilent(authorization.openId?.prompt) };
    },

    /** Stores a pushed request until a browser names its URI. @throws AppError unavailable when too many requests are open. */
    async push(authorization: NewAuthorization): Promise<string> {
      const requestUri = `${REQUEST_URI}${newOneTimeToken()}`;
      // No browser has started the request yet, so this is a random hash that no cookie matches.
      const hashes = { request_hash: pushedHash(requestUri), browser_hash: bytes(newOneTimeToken()) };
      await insert(db, authorization, hashes, PUSHED_SECONDS * 1_000);
      return requestUri;
    },

    /**
     * Starts a pushed request, which is possible only once. Returns `undefined` when the request is unknown, has expired, was started
     * before, or belongs to another client.
     */
    async beginPushed(requestUri: string, client: Client): Promise<BegunAuthorization | undefined> {
      if (!requestUri.startsWith(REQUEST_URI)) return undefined;
      const [request, browser] = [newOneTimeToken(), newOneTimeToken()];
      const [begun] = await db.prisma.oAuthAuthorization.updateManyAndReturn({
        where: { request_hash: pushedHash(requestUri), client_id: client.id, expires_at: { gt: new Date() } },
        data: {
          ...{ request_hash: bytes(request), browser_hash: bytes(browser) },
          expires_at: new Date(Date.now() + REQUEST_MS),
        },
        select: { prompt: true },
      });
      return begun && { request, browser, isSilent: isSilent(begun.prompt) };
    },

    /**
     * Stores a device's request (RFC 8628 §3.2) under its user code, which the user enters at the console. The device code consists of the
     * row's id and a secret. @throws AppError unavailable when too many requests are open.
     */
    async beginDevice(authorization: NewAuthorization): Promise<{ deviceCode: string; userCode: string }> {
      const [secret, userCode, id] = [newOneTimeToken(), newUserCode(), newId()];
      const request_hash = new Uint8Array(hashUserCode(userCode) ?? []);
      const hashes = { id, request_hash, browser_hash: bytes(`device ${secret}`) };
      await insert(db, authorization, hashes, REQUEST_MS);
      return { deviceCode: `${id}.${secret}`, userCode };
    },

    /** Redeems a device code once the user has granted scopes. */
    async pollDevice(
      client: Client,
      origin: RequestOrigin,
      { deviceCode, jkt, narrow }: DevicePoll,
    ): Promise<DeviceRefusal | (Grant & { refreshToken: string })> {
      const [id = '', secret = ''] = deviceCode.split('.');
      if (!isUuid(id)) return 'invalid_grant';
      const asked = await db.prisma.oAuthAuthorization.findFirst({
        where: { id, client_id: client.id, browser_hash: bytes(`device ${secret}`), redirect_uri: OF_DEVICE },
      });
      if (!asked || asked.returned_at) return 'invalid_grant';
      if (asked.expires_at <= new Date()) return 'expired_token';
      if (!asked.decided_at || asked.user_id === null) return 'authorization_pending';
      const userId = asked.user_id;
      if (asked.granted.length === 0) return 'access_denied';
      return db.transaction(async (tx) => {
        if (!(await lockActiveAccount(tx, userId))) return 'access_denied';
        const [row] = await tx.$queryRaw<DeviceRow[]>`
          UPDATE oauth_authorizations a SET returned_at = now() FROM users u
           WHERE a.id = ${id}::uuid AND a.returned_at IS NULL AND a.expires_at > now() AND u.id = a.user_id
          RETURNING a.id, a.auth_time, a.granted, a.resources, u.project AS user_project, ${Prisma.raw(ACCOUNT_COLUMNS)}`;
        if (!row) return 'invalid_grant';
        return openFor(tx, client, origin, { ...row, nonce: null }, { jkt, resources: narrow(row.resources) });
      });
    },

    /**
     * Returns the redirect that contains the user's decision. `undefined` when the request is expired or undecided, or belongs to another
     * browser.
     */
    finish: ({ request, ticket, browser }: Returned): Promise<Answer | undefined> =>
      db.transaction(async (tx) => {
        const [row] = await tx.$queryRaw<
          (Record<'id' | 'client_id' | 'redirect_uri', string> &
            Record<'state' | 'refusal', string | null> & { granted: string[]; is_expected: boolean })[]
        >`
          UPDATE oauth_authorizations
             SET returned_at = now(), expires_at = greatest(expires_at, now() + make_interval(secs => ${CODE_MS / 1000}))
           WHERE request_hash = ${bytes(request)} AND ticket_hash = ${bytes(ticket)} AND browser_hash = ${bytes(browser)}
             AND returned_at IS NULL AND expires_at > now()
          RETURNING id, client_id, redirect_uri, state, granted, refusal,
                    coalesce(hinted_user_id = user_id, hinted_user_id IS NULL) AS is_expected`;
        if (!row) return undefined;
        const { redirect_uri: redirectUri, state, client_id: clientUuid } = row;
        const isGranted = row.granted.length > 0;
        const refusal = row.refusal ?? (isGranted ? 'login_required' : 'access_denied');
        const code = isGranted && row.is_expected ? await issueCode(tx, row.id) : undefined;
        return { redirectUri, state, code, refusal, clientUuid };
      }),

    /** Redeems a code and returns its user, without opening a grant. The page on which users connect accounts uses this function. */
    async identify(client: Client, code: string, challenge: string): Promise<string | undefined> {
      const [row] = await db.prisma.$queryRaw<CodeRow[]>(useCode(code));
      const isGood = row?.client_id === client.id && row.user_status === 'active' && row.code_challenge === challenge;
      return isGood ? row.user_id : undefined;
    },

    /** Redeems a code. A second use ends the grant of the first use (RFC 6749 §4.1.2). `undefined` for an invalid code. */
    redeem: (
      client: Client,
      origin: RequestOrigin,
      { code, redirectUri, challenge, jkt, narrow }: Redemption,
    ): Promise<(Grant & { refreshToken: string }) | undefined> =>
      oneAtATime(code, () =>
        db.transaction(async (tx) => {
          // Locks the account. A concurrent transaction that ends the account or the consent must wait until this transaction has stored
          // the grant. It then ends the new grant too.
          const known = await tx.oAuthCode.findUnique({
            where: { code_hash: bytes(code) },
            select: { authorization: { select: { user_id: true } } },
          });
          const isActive =
            known?.authorization.user_id != null && (await lockActiveAccount(tx, known.authorization.user_id));
          const [row] = await tx.$queryRaw<CodeRow[]>(useCode(code));
          if (!row) return endReplayed(tx, client, origin, code);
          const isFor = row.client_id === client.id && isActive;
          const isBound = row.code_challenge === (challenge ?? null) && (row.dpop_jkt === null || row.dpop_jkt === jkt);
          // The parameter redirect_uri may be missing when PKCE binds the code, because OAuth 2.1 §4.1.3 has no such parameter.
          const isSame = redirectUri === undefined ? row.code_challenge !== null : row.redirect_uri === redirectUri;
          if (!isFor || !isBound || !isSame) return undefined;
          const opened = await openFor(tx, client, origin, row, { jkt, resources: narrow(row.resources) });
          await tx.oAuthCode.update({ where: { id: row.id }, data: { grant_id: opened.grantId } });
          return opened;
        }),
      ),
  };
}
export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;

/** SQL that marks a code as used. A code is invalid once the credentials of its user or the consent have ended. */
const useCode = (code: string) => Prisma.sql`
  UPDATE oauth_codes k SET used_at = now() FROM oauth_authorizations a JOIN users u ON u.id = a.user_id
   WHERE k.code_hash = ${bytes(code)} AND k.used_at IS NULL AND k.expires_at > now() AND a.expires_at > now() AND a.id = k.authorization_id
  RETURNING k.id, a.client_id, a.redirect_uri, a.code_challenge, a.dpop_jkt, a.nonce, a.auth_time, a.granted, a.resources, u.project AS user_project, ${Prisma.raw(ACCOUNT_COLUMNS)}`;

/** Opens a grant for a user's consent. It has those consented scopes that the client still has. */
async function openFor(
  tx: Tx,
  client: Client,
  origin: RequestOrigin,
  row: DeviceRow & { nonce: string | null },
  { jkt, resources }: { jkt: string | undefined; resources: string[] },
): Promise<Grant & { refreshToken: string }> {
  const scopes = scopesOfClient(row.granted, clientScopes(client));
  const authTime = row.auth_time ?? undefined;
  const project = client.owner?.project ?? row.user_project;
  const grant = { user: row, project, kind: 'authorization_code' as const, scopes, resources, jkt, authTime };
  const { grantId, refreshToken } = await openGrant(tx, client, origin, grant);
  const signIn = { user: userOf(row), authTime, nonce: row.nonce ?? undefined };
  return { grantId, refreshToken, userId: row.user_id, scopes, resources, signIn };
}

const isSilent = (prompt: readonly string[] = []) => prompt.includes('none');

async function insert(
  db: Database,
  { client, redirectUri, state, scopes, resources, codeChallenge, jkt, openId, hintedUserId }: NewAuthorization,
  hashes: { id?: string; request_hash: Uint8Array<ArrayBuffer>; browser_hash: Uint8Array<ArrayBuffer> },
  lifetimeMs: number,
): Promise<void> {
  if (await isFull(db)) throw new AppError('unavailable', { retryAfter: 60 });
  await db.prisma.oAuthAuthorization.create({
    data: {
      ...{ id: newId(), ...hashes },
      client_id: client.id,
      redirect_uri: redirectUri,
      state: state ?? null,
      scopes: [...scopes],
      resources: [...resources],
      code_challenge: codeChallenge ?? null,
      dpop_jkt: jkt ?? null,
      nonce: openId?.nonce ?? null,
      prompt: openId?.prompt ?? [],
      max_age: openId?.maxAge ?? null,
      hinted_user_id: hintedUserId ?? null,
      expires_at: new Date(Date.now() + lifetimeMs),
    },
  });
}

async function isFull(db: Database): Promise<boolean> {
  const [row] = await db.prisma.$queryRaw<{ live: bigint }[]>`
    SELECT count(*) AS live FROM (SELECT FROM oauth_authorizations WHERE expires_at > now() LIMIT ${MAX_UNDER_WAY}) found`;
  return Number(row?.live) >= MAX_UNDER_WAY;
}

async function issueCode(tx: Tx, authorizationId: string): Promise<string> {
  const code = newOneTimeToken();
  const expires_at = new Date(Date.now() + CODE_MS);
  await tx.oAuthCode.create({
    data: { id: newId(), code_hash: bytes(code), authorization_id: authorizationId, expires_at },
  });
  return code;
}

async function endReplayed(tx: Tx, client: Client, origin: RequestOrigin, code: string): Promise<undefined> {
  const replayed = await tx.oAuthCode.findUnique({ where: { code_hash: bytes(code) }, select: { grant_id: true } });
  if (replayed?.grant_id) await revokeGrant(tx, client, origin, replayed.grant_id, 'authorization code replayed');
  return undefined;
}
