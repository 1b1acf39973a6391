import {
  ACCOUNT_COLUMNS,
  hashSecret,
  holdActive,
  newOneTimeToken,
  type AccountRow,
  type Project,
} from '@millwright/auth';
import { newId, type Database, type Tx } from '@millwright/db';
import type { Client, Origin } from './clients.store.js';
import { openGrant, revokeGrant, type Grant } from './grants.store.js';

/** An authorization request that may go on to sign-in and consent. */
export interface NewAuthorization {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: readonly string[];
  resources: readonly string[];
  codeChallenge: string | undefined;
}

/** What the browser brings back from the console. */
export interface Returned {
  request: string;
  ticket: string;
  /** The cookie of the browser that began. */
  browser: string;
}

/** Where the browser goes with the answer. */
export interface Answer {
  redirectUri: string;
  state: string | null;
  /** None: the user denied. */
  code: string | undefined;
}

export interface Redemption {
  code: string;
  redirectUri: string | undefined;
  /** Of the verifier; `undefined` when none was sent. */
  challenge: string | undefined;
  /** The resources asked for at the token endpoint, within those authorized. */
  narrow: (granted: readonly string[]) => string[];
}

interface CodeRow extends AccountRow {
  id: string;
  client_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  granted: string[];
  resources: string[];
  user_project: Project;
}

/** Sign-in and consent take their time; the request waits this long. */
const REQUEST_MS = 10 * 60_000;
const CODE_MS = 60_000;

const bytes = (secret: string) => new Uint8Array(hashSecret(secret));

/** Authorization requests and codes: each step once, by one conditional update. */
export function createAuthorizationStore(db: Database) {
  return {
    async begin({ client, redirectUri, state, scopes, resources, codeChallenge }: NewAuthorization) {
      const [request, browser] = [newOneTimeToken(), newOneTimeToken()];
      await db.prisma.oAuthAuthorization.create({
        data: {
          id: newId(),
          request_hash: bytes(request),
          browser_hash: bytes(browser),
          client_id: client.id,
          redirect_uri: redirectUri,
          state: state ?? null,
          scopes: [...scopes],
          resources: [...resources],
          code_challenge: codeChallenge ?? null,
          expires_at: new Date(Date.now() + REQUEST_MS),
        },
      });
      return { request, browser };
    },

    /** Takes the decision to where the client waits. `undefined` for a request that is not this browser's, undecided or over. */
    finish: ({ request, ticket, browser }: Returned): Promise<Answer | undefined> =>
      db.transaction(async (tx) => {
        const [row] = await tx.$queryRaw<
          { id: string; redirect_uri: string; state: string | null; granted: string[] }[]
        >`
          UPDATE oauth_authorizations
             SET returned_at = now(), expires_at = greatest(expires_at, now() + make_interval(secs => ${CODE_MS / 1000}))
           WHERE request_hash = ${bytes(request)} AND ticket_hash = ${bytes(ticket)} AND browser_hash = ${bytes(browser)}
             AND returned_at IS NULL AND expires_at > now()
          RETURNING id, redirect_uri, state, granted`;
        if (!row) return undefined;
        const code = row.granted.length > 0 ? await issueCode(tx, row.id) : undefined;
        return { redirectUri: row.redirect_uri, state: row.state, code };
      }),

    /** Uses a code up for who it stands for: for pages of ours, which need no grant. */
    async identify(client: Client, code: string, challenge: string): Promise<string | undefined> {
      const [row] = await db.prisma.$queryRawUnsafe<CodeRow[]>(USE_CODE, bytes(code));
      const isGood = row?.client_id === client.id && row.user_status === 'active' && row.code_challenge === challenge;
      return isGood ? row.user_id : undefined;
    },

    /** Uses a code up. A second use ends what the first one opened (RFC 6749 §4.1.2). `undefined` when it is not good. */
    redeem: (
      client: Client,
      origin: Origin,
      { code, redirectUri, challenge, narrow }: Redemption,
    ): Promise<(Grant & { refreshToken: string }) | undefined> =>
      db.transaction(async (tx) => {
        // Who ends the account or takes the consent back meanwhile waits, and then finds the grant.
        const known = await tx.oAuthCode.findUnique({
          where: { code_hash: bytes(code) },
          select: { authorization: { select: { user_id: true } } },
        });
        const isActive = known?.authorization.user_id != null && (await holdActive(tx, known.authorization.user_id));
        const [row] = await tx.$queryRawUnsafe<CodeRow[]>(USE_CODE, bytes(code));
        if (!row) return endReplayed(tx, client, origin, code);
        const isFor = row.client_id === client.id && isActive;
        const isBound = row.code_challenge === (challenge ?? null);
        // OAuth 2.1 §4.1.3 dropped the parameter: it may be absent where PKCE binds the code.
        const isSame = redirectUri === undefined ? row.code_challenge !== null : row.redirect_uri === redirectUri;
        if (!isFor || !isBound || !isSame) return undefined;
        const resources = narrow(row.resources);
        const grant = {
          user: row,
          project: client.owner?.project ?? row.user_project,
          kind: 'authorization_code' as const,
          scopes: row.granted,
          resources,
        };
        const { grantId, refreshToken } = await openGrant(tx, client, origin, grant);
        await tx.oAuthCode.update({ where: { id: row.id }, data: { grant_id: grantId } });
        return { grantId, refreshToken, userId: row.user_id, scopes: row.granted, resources };
      }),
  };
}
export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;

/** An authorization that has ended, with its user's credentials or its consent, takes its code along. */
const USE_CODE = `
  UPDATE oauth_codes k SET used_at = now() FROM oauth_authorizations a JOIN users u ON u.id = a.user_id
   WHERE k.code_hash = $1 AND k.used_at IS NULL AND k.expires_at > now() AND a.expires_at > now() AND a.id = k.authorization_id
  RETURNING k.id, a.client_id, a.redirect_uri, a.code_challenge, a.granted, a.resources, u.project AS user_project, ${ACCOUNT_COLUMNS}`;

async function issueCode(tx: Tx, authorizationId: string): Promise<string> {
  const code = newOneTimeToken();
  const expires_at = new Date(Date.now() + CODE_MS);
  await tx.oAuthCode.create({
    data: { id: newId(), code_hash: bytes(code), authorization_id: authorizationId, expires_at },
  });
  return code;
}

async function endReplayed(tx: Tx, client: Client, origin: Origin, code: string): Promise<undefined> {
  const replayed = await tx.oAuthCode.findUnique({ where: { code_hash: bytes(code) }, select: { grant_id: true } });
  if (replayed?.grant_id) await revokeGrant(tx, client, origin, replayed.grant_id, 'authorization code replayed');
  return undefined;
}
