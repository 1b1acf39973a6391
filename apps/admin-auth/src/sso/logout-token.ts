import type { EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { CLOCK_TOLERANCE, issuerFailure } from './issuer-failures.js';
import type { SsoIssuer } from './sso-file.js';

/** A verified logout token: it names a session, a user or both. */
export interface LogoutToken {
  subject: string | undefined;
  sid: string | undefined;
  /** Id of the logout token. A second token with this id is refused. */
  jti: string;
  /** Time after which the token is refused as expired. */
  expiresAt: Date;
}

export interface LogoutVerifierOptions {
  configured: () => Promise<Configuration>;
  fetch: EgressFetch;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Maximum age of a token in seconds, even when its `exp` is later. */
const MAX_AGE_S = 300;

/** Accepted algorithms. All of them are asymmetric: with a symmetric algorithm, the client's secret would be the key. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 1_000;

/** Creates a function that verifies logout tokens of one issuer (OpenID Connect Back-Channel Logout 1.0 §2.6). */
export function createLogoutVerifier(issuer: SsoIssuer, { configured, fetch }: LogoutVerifierOptions) {
  let keys: { uri: string; find: JWTVerifyGetKey } | undefined;

  async function findKeys(): Promise<JWTVerifyGetKey> {
    const { jwks_uri: uri } = (await configured()).serverMetadata();
    if (uri === undefined) throw new AppError('unavailable');
    if (keys?.uri !== uri) {
      const send = (url: string, init: RequestInit) => fetch(url, { ...init, kind: 'sso' });
      keys = { uri, find: createRemoteJWKSet(new URL(uri), { [customFetch]: send }) };
    }
    return keys.find;
  }

  return async (token: string): Promise<LogoutToken> => {
    const find = await findKeys();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, find, {
        issuer: issuer.url,
        audience: issuer.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        maxTokenAge: MAX_AGE_S,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      // Issuers that are older than the registered type send the type `JWT` or no type.
      if (!['logout+jwt', 'jwt', undefined].includes(protectedHeader.typ?.toLowerCase())) throw new Error('wrong type');
      return toLogoutToken(payload);
    } catch (cause) {
      throw issuerFailure(cause);
    }
  };
}

function toLogoutToken({ events, nonce, sub, sid, jti, iat = 0 }: JWTPayload): LogoutToken {
  // A nonce shows that the token is an ID token, which must not be accepted as a logout token.
  if (nonce !== undefined) throw new Error('the token has a nonce');
  const isEvent = typeof events === 'object' && events !== null && EVENT in events;
  if (!isEvent || typeof (events as Record<string, unknown>)[EVENT] !== 'object')
    throw new Error('the event is missing');
  if (!isText(jti)) throw new Error('jti is missing');
  const subject = isText(sub) ? sub : undefined;
  const session = isText(sid) ? sid : undefined;
  if (subject === undefined && session === undefined) throw new Error('neither sub nor sid');
  const expiresAt = new Date((iat + MAX_AGE_S + 2 * CLOCK_TOLERANCE) * 1_000);
  return { subject, sid: session, jti, expiresAt };
}
