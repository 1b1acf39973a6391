import { encodeId, isUuid, type Database } from '@millwright/db';
import { ACCOUNT_COLUMNS, rolesOf, userOf, type AccountRow, type Credential, type Principal } from './principal.js';
import type { Project } from './projects.js';
import { effectiveScopes } from './scopes.js';
import { createKeyFinder } from './token-keys.js';
import { createTokenVerifier, type NewToken } from './tokens.js';

/** Services that accept tokens of admin-auth. */
export type TokenArea = 'platform' | 'runtime' | 'prompt';

/** Lifetime of a gateway token, in seconds. */
export const GATEWAY_TOKEN_SECONDS = 3_600;
const AREA_TOKEN_SECONDS = 300;

const GATEWAY = 'gateway';
/**
 * Scopes of tokens. `EVERYTHING`: all scopes of the account. `FRESH`: all scopes, and the statement that the session has a recent proof. No
 * account is granted the scope `fresh`.
 */
const EVERYTHING = '*';
const FRESH = `${EVERYTHING} fresh`;
const audienceOf = (area: TokenArea) => `area:${area}`;

export interface TokenSubject {
  issuer: string;
  userId: string;
  /** The device or session that the token belongs to. */
  sid: string;
  /** Project of an admin's requests. All other users work in their own project. */
  project: Project;
  /** Whether the session has a recent proof by passkey. */
  isFresh?: boolean;
}

type Sign = (token: NewToken) => string;

/**
 * Makes the token of a bridge. The platform, runtime and prompt APIs accept it, with all rights of the account, for an
 * hour.
 */
export function mintGatewayToken(sign: Sign, subject: TokenSubject): string {
  return mint(sign, subject, GATEWAY, GATEWAY_TOKEN_SECONDS);
}

/**
 * Makes a token for requests of the console to one service, for five minutes. The browser never receives this token.
 */
export function mintAreaToken(sign: Sign, { isFresh = false, ...subject }: TokenSubject, area: TokenArea): string {
  return mint(sign, subject, audienceOf(area), AREA_TOKEN_SECONDS, isFresh ? FRESH : EVERYTHING);
}

function mint(
  sign: Sign,
  { issuer, userId, sid, project }: TokenSubject,
  audience: string,
  expiresIn: number,
  scope = EVERYTHING,
): string {
  return sign({ issuer, audience, subject: userId, scope, sid, project, expiresIn });
}

interface OwnerRow extends AccountRow {
  project: Project;
}

/**
 * This query runs once per request, by primary key. A token that was issued before its account was disabled stays
 * refused when the account is enabled again.
 */
const FIND_OWNER = `
  SELECT u.project, ${ACCOUNT_COLUMNS} FROM users u
   WHERE u.id = $1 AND u.status = 'active' AND (u.disabled_at IS NULL OR u.disabled_at < to_timestamp($2))`;

export interface GatewayVerifierOptions {
  /** Issuer of admin-auth: the installation's BASE_URL. */
  issuer: string;
  area: TokenArea;
}

/**
 * Verifies a gateway token, or the console's token for this service. Returns its principal, or `undefined` for any
 * other text. Rate limits are counted per user with the plan `standard`, separately from the keys of the user.
 */
export function createGatewayVerifier(db: Database, { issuer, area }: GatewayVerifierOptions) {
  const audience = new RegExp(`^(${GATEWAY}|${audienceOf(area)})$`);
  const verify = createTokenVerifier({ issuer, audience, findKey: createKeyFinder(db, 'admin-auth') });
  return async (text: string): Promise<Principal | undefined> => {
    const claims = await verify(text);
    if (!claims || !isUuid(claims.sub)) return undefined;
    const [row] = await db.prepared<OwnerRow>('find-token-owner', FIND_OWNER, [claims.sub, claims.iat]);
    if (!row) return undefined;
    const roles = rolesOf(row);
    const isAdmin = roles.includes('admin');
    const kind: Credential['kind'] = claims.aud === GATEWAY ? 'gateway_token' : 'area_token';
    const lacksProof = kind === 'area_token' && claims.scope !== FRESH;
    return {
      user: userOf(row),
      project: isAdmin ? (claims.project ?? 'Core') : row.project,
      roles,
      scopes: effectiveScopes(claims.scope.split(' '), roles),
      credential: { kind, id: `${kind}:${encodeId('usr', row.user_id)}`, plan: 'standard' },
      ...(lacksProof && { lacksProof }),
    };
  };
}
