import { createHash, randomUUID, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import { ActorClaim } from './actors.js';
import { ProjectId, type Project } from './projects.js';
import { kidOf } from './token-header.js';
import type { SigningKey } from './token-keys.js';

/**
 * Claims of every token that we issue (RFC 9068 §2.2). `sid` is the session, device or grant whose revocation ends the
 * token. Times are Unix seconds.
 */
const TokenClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  scope: z.string(),
  sid: z.string(),
  client_id: z.string().optional(),
  project: ProjectId.optional(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
  /** The key whose possession every request with the token must prove (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
  /** The actors for which the token's client acts (RFC 8693 §4.1). */
  act: ActorClaim.optional(),
  /** Public id of the run whose token a client exchanged for this token. */
  txn: z.string().optional(),
});
export type TokenClaims = z.output<typeof TokenClaims>;

export interface NewToken {
  issuer: string;
  subject: string;
  audience: string | string[];
  scope: string;
  sid: string;
  clientId?: string;
  /** Project of an admin's token. */
  project?: Project;
  /** Lifetime in seconds. */
  expiresIn: number;
  /** Thumbprint of the key to which the token is bound. */
  jkt?: string | undefined;
  act?: ActorClaim | undefined;
  txn?: string | undefined;
}

/** Signs ES256 access tokens, `typ: at+jwt`. Each token is signed with the key that is current at that moment. */
export function createTokenSigner(source: SigningKey | (() => SigningKey)): (token: NewToken) => string {
  return ({ issuer, subject, audience, scope, sid, clientId, project, expiresIn, jkt, act, txn }) => {
    const key = typeof source === 'function' ? source() : source;
    const claims = {
      scope,
      sid,
      ...(clientId && { client_id: clientId }),
      ...(project && { project }),
      ...(jkt && { cnf: { jkt } }),
      ...(act && { act }),
      ...(txn !== undefined && { txn }),
    };
    return jwt.sign(claims, key.privateKey, {
      algorithm: 'ES256',
      keyid: key.kid,
      header: { alg: 'ES256', typ: 'at+jwt' },
      issuer,
      subject,
      audience,
      expiresIn,
      jwtid: randomUUID(),
    });
  };
}

export interface TokenVerifierOptions {
  issuer: string;
  /** Required audience: an exact text, or a pattern. */
  audience: string | RegExp;
  findKey: (kid: string) => Promise<KeyObject | undefined>;
  now?: () => number;
}

/** Maximum number of cached hashes of tokens whose signature was verified. */
const VERIFIED_MAX = 10_000;

/**
 * Verifies signature, algorithm, type, issuer, audience and times. The caller checks on each request that the token's
 * grant, session and account are live. Returns `undefined` for every invalid token, and rejects only when the keys
 * cannot be read.
 */
export function createTokenVerifier({ issuer, audience, findKey, now = Date.now }: TokenVerifierOptions) {
  const verified = new LRUCache<string, { kid: string; claims: TokenClaims }>({ max: VERIFIED_MAX });
  return async (token: string): Promise<TokenClaims | undefined> => {
    const hash = createHash('sha256').update(token).digest('base64url');
    const known = verified.get(hash);
    if (known) {
      if (known.claims.exp > now() / 1_000 && (await findKey(known.kid))) return known.claims;
      verified.delete(hash); // the token has expired, or its key was retired
      return undefined;
    }
    const kid = kidOf(token);
    const key = kid === undefined ? undefined : await findKey(kid);
    const claims = key && check(token, key);
    if (kid !== undefined && claims) verified.set(hash, { kid, claims });
    return claims;
  };

  function check(token: string, key: KeyObject): TokenClaims | undefined {
    try {
      const options = {
        algorithms: ['ES256' as const],
        issuer,
        audience,
        clockTimestamp: Math.floor(now() / 1_000),
      };
      return TokenClaims.safeParse(jwt.verify(token, key, options)).data;
    } catch {
      return undefined; // jsonwebtoken throws for every fault of the token
    }
  }
}
