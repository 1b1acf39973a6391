import { randomUUID, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ActorClaim } from './actors.js';
import { ProjectId } from './projects.js';
import { isGrantableScope } from './scopes.js';
import { kidOf } from './token-header.js';
import type { SigningKey } from './token-keys.js';

/** Claims of a token that a registered MCP server or plugin gets with one call. They name the user and all actors that act for the user. */
const AgentTokenClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  act: ActorClaim.optional(),
  /** Public id of the run. */
  txn: z.string().optional(),
  client_id: z.string().optional(),
  /** The client that may exchange the token (RFC 8693 §4.4). */
  may_act: z.object({ sub: z.string() }).optional(),
  scope: z.string().optional(),
  /** The project in which the user acts. */
  project: ProjectId,
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
});
export type AgentTokenClaims = z.output<typeof AgentTokenClaims>;

export type NewAgentToken = Omit<AgentTokenClaims, 'iat' | 'exp' | 'jti'>;

/** Maximum lifetime of a token for one call, in seconds. */
export const AGENT_TOKEN_SECONDS = 300;

/** Signs ES256 call tokens, each with the current key. `lives`: lifetime in seconds. */
export function createAgentTokenSigner(source: SigningKey | (() => SigningKey)) {
  return (claims: NewAgentToken, lives: number = AGENT_TOKEN_SECONDS): string => {
    const key = typeof source === 'function' ? source() : source;
    return jwt.sign(claims, key.privateKey, {
      algorithm: 'ES256',
      keyid: key.kid,
      header: { alg: 'ES256', typ: 'at+jwt' },
      expiresIn: Math.min(lives, AGENT_TOKEN_SECONDS),
      jwtid: randomUUID(),
    });
  };
}
export type SignAgentToken = ReturnType<typeof createAgentTokenSigner>;

/**
 * Returns the claims of a valid call token, whatever its audience. Returns `undefined` for every other token.
 * Access tokens of this installation are refused because they have `sid`.
 */
export function createAgentTokenVerifier(issuer: string, findKey: (kid: string) => Promise<KeyObject | undefined>) {
  return async (token: string): Promise<AgentTokenClaims | undefined> => {
    const kid = kidOf(token);
    const key = kid === undefined ? undefined : await findKey(kid);
    if (!key) return undefined;
    try {
      const claims = jwt.verify(token, key, { algorithms: ['ES256'], issuer });
      return typeof claims === 'object' && 'sid' in claims ? undefined : AgentTokenClaims.safeParse(claims).data;
    } catch {
      return undefined; // jsonwebtoken throws for every fault of the token
    }
  };
}

const words = (scope: string) => scope.split(' ');

/** Whether the scopes `scope` of a call token include a scope of the APIs that is not in `former`. */
export function addsScopes(scope = '', former = ''): boolean {
  const had = new Set(words(former));
  return words(scope).some((one) => isGrantableScope(one) && !had.has(one));
}
