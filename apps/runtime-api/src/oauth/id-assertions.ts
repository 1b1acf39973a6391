import type { Egress } from '@millwright/egress';
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { ASSERTION_MAX_AGE_S, CLOCK_SKEW_S } from './client-assertions.js';

/** Claims of an identity provider about a client's user, for this server (draft-ietf-oauth-identity-assertion-authz-grant §6.1). */
const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(1_000),
  client_id: z.string(),
  jti: z.string().min(1).max(500),
  exp: z.number(),
  scope: z.string().max(2_000).optional(),
  resource: z.union([z.string(), z.array(z.string()).max(8)]).optional(),
  /** The actors for which the client acts (RFC 8693 §4.1), unchecked. */
  act: z.unknown().optional(),
});
export type IdAssertion = z.output<typeof Claims>;

const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512', 'EdDSA'];
const METADATA = { timeoutMs: 5_000, maxBytes: 256 * 1_024 };
/** Age in milliseconds at which the cached metadata of an issuer is read again. */
const BELIEVED_MS = 3_600_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

export interface IdAssertionOptions {
  egress: Pick<Egress, 'fetch'>;
  /** Accepted issuers, as spelled in the claim `iss`. */
  issuers: readonly string[];
  /** Issuer of this authorization server, which is the only accepted audience. */
  runtimeUrl: string;
}

/**
 * Returns the claims of a valid ID-JAG; `undefined` when its signature, issuer, audience or age is not accepted. The caller must still
 * check that the assertion was not used before and belongs to its client.
 */
export function createIdAssertionVerifier({ egress, issuers, runtimeUrl }: IdAssertionOptions) {
  const found = new Map<string, { readAt: number; find: JWTVerifyGetKey }>();
  const send = (url: string, init: { headers?: Headers; signal?: AbortSignal } = {}) =>
    egress.fetch(url, { ...init, kind: 'sso', profile: METADATA });

  /** Reads an issuer's keys (OpenID Connect Discovery §4). */
  async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const known = found.get(issuer);
    if (known && performance.now() - known.readAt < BELIEVED_MS) return known.find;
    const answer = await send(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const metadata = Metadata.parse(await answer.json());
    if (metadata.issuer !== issuer) throw new Error('the metadata is of another issuer');
    const find = createRemoteJWKSet(new URL(metadata.jwks_uri), { [customFetch]: send });
    found.set(issuer, { readAt: performance.now(), find });
    return find;
  }

  return async (token: string): Promise<IdAssertion | undefined> => {
    try {
      const { iss } = decodeJwt(token);
      if (iss === undefined || !issuers.includes(iss)) return undefined;
      const { payload } = await jwtVerify(token, await keysOf(iss), {
        issuer: iss,
        audience: runtimeUrl,
        typ: 'oauth-id-jag+jwt',
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_S,
        maxTokenAge: ASSERTION_MAX_AGE_S,
        requiredClaims: ['iat', 'exp', 'jti'],
      });
      const isOurs = typeof payload.aud === 'string' || payload.aud?.length === 1;
      return isOurs ? Claims.safeParse(payload).data : undefined;
    } catch {
      return undefined; // the assertion is invalid, or its issuer does not answer
    }
  };
}
export type VerifyIdAssertion = ReturnType<typeof createIdAssertionVerifier>;
