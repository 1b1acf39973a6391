import { createHash, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { kidOf } from './token-header.js';
import type { SigningKey } from './token-keys.js';

export interface NewIdToken {
  issuer: string;
  /** The client, by its public id. */
  clientId: string;
  /** Claims about the user, including `sub`. */
  claims: Readonly<{ sub: string } & Record<string, unknown>>;
  /** Time at which the user signed in; undefined when unknown. */
  authTime: Date | undefined;
  /** The nonce of the authorization request. */
  nonce: string | undefined;
  /** The access token in the same answer. */
  accessToken: string;
}

/** The lifetime of id tokens, in seconds. */
const ID_TOKEN_SECONDS = 3_600;

/**
 * Signs ES256 id tokens (OpenID Connect Core 1.0 §2), each with the current key. No service accepts them as access
 * tokens, because their type differs and they have no `scope` and no `sid`.
 */
export function createIdTokenSigner(source: SigningKey | (() => SigningKey)): (token: NewIdToken) => string {
  return ({ issuer, clientId, claims, authTime, nonce, accessToken }) => {
    const key = typeof source === 'function' ? source() : source;
    const { sub, ...others } = claims;
    const body = {
      ...others,
      at_hash: hashOfAccessToken(accessToken),
      ...(authTime && { auth_time: Math.floor(authTime.getTime() / 1_000) }),
      ...(nonce !== undefined && { nonce }),
    };
    return jwt.sign(body, key.privateKey, {
      ...{ algorithm: 'ES256', keyid: key.kid, header: { alg: 'ES256', typ: 'JWT' } },
      ...{ issuer, subject: sub, audience: clientId, expiresIn: ID_TOKEN_SECONDS },
    });
  };
}

/** Returns the left half of the token's hash (OpenID Connect Core 1.0 §3.1.3.6). */
const hashOfAccessToken = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

const Hint = z.object({ sub: z.string(), aud: z.string() });

/**
 * Verifies an id token that a client sends back as a hint (OpenID Connect RP-Initiated Logout 1.0 §2). This
 * installation must have signed the token for that client; the token may be expired. All other kinds of tokens are
 * refused.
 */
export function createIdTokenHintVerifier(issuer: string, findKey: (kid: string) => Promise<KeyObject | undefined>) {
  return async (token: string): Promise<{ userId: string; clientId: string } | undefined> => {
    const kid = kidOf(token, 'JWT');
    const key = kid === undefined ? undefined : await findKey(kid);
    if (!key) return undefined;
    try {
      const options = { algorithms: ['ES256' as const], issuer, ignoreExpiration: true };
      const hint = Hint.safeParse(jwt.verify(token, key, options)).data;
      return hint && { userId: hint.sub, clientId: hint.aud };
    } catch {
      return undefined; // jsonwebtoken throws for every fault of the token
    }
  };
}
