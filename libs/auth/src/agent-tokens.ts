import { randomUUID, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { isGrantableScope } from './scopes.js';
import { kidOf } from './token-header.js';
import type { SigningKey } from './token-keys.js';

/** An actor for the user. `act` is the actor for which it acts (RFC 8693 §4.1). */
export interface ActorClaim {
  /** The issuer that named an actor of another system; undefined for an agent or a client of this installation. */
  iss?: string | undefined;
  /** Public id of an agent or an OAuth client. */
  sub: string;
  /** Version of an agent; undefined for a client. */
  version?: number | undefined;
  act?: ActorClaim | undefined;
}

/** Maximum actors in a chain. */
export const ACTORS_MAX = 16;

export const ActorClaim: z.ZodType<ActorClaim> = z.object({
  iss: z.string().optional(),
  sub: z.string(),
  version: z.int().optional(),
  get act() {
    return ActorClaim.optional();
  },
});

/** The actors of a chain, the last one first. */
export function actorsOf(act: ActorClaim | undefined): Omit<ActorClaim, 'act'>[] {
  const actors = [];
  for (let next = act; next !== undefined; next = next.act) {
    const { act: _former, ...actor } = next;
    actors.push(actor);
  }
  return actors;
}

/** The chain of these actors, the first one outermost, before those of `former`. */
export const chainOf = (actors: readonly Omit<ActorClaim, 'act'>[], former?: ActorClaim): ActorClaim | undefined =>
  actors.reduceRight<ActorClaim | undefined>((act, actor) => ({ ...actor, ...(act && { act }) }), former);

/** The name of an actor in the audit log. */
export const actorName = ({ iss, sub, version }: Omit<ActorClaim, 'act'>): string =>
  `${sub}${version === undefined ? '' : `@${version}`}${iss === undefined ? '' : ` of ${iss}`}`;

/** The chain of actors for which a credential acts, and what revokes that credential. */
export interface Delegation {
  act: ActorClaim;
  /** Row id of the credential's grant. */
  grant: string;
  /** The credential in the grant's list of tokens that were revoked individually. */
  token: string;
  /** Public id of the run that gave the credential, in this installation. */
  txn?: string | undefined;
}

/** Maximum size of the chain of actors in an assertion, in bytes of JSON. The chain is part of an access token, which is sent in a header. */
const CHAIN_MAX_BYTES = 4_096;
/** Printable: these texts are stored and shown. */
const ActorText = z.string().regex(/^\P{C}{1,255}$/u);
const OutsideActor = z.object({
  iss: ActorText.optional(),
  sub: ActorText,
  version: z.int().optional().catch(undefined),
  act: z.unknown().optional(),
});

/**
 * The chain of actors in an issuer's assertion. An actor without an issuer is one of the assertion's issuer. `undefined` when the chain is
 * malformed, too large, or leaves no room for an agent that acts for it.
 */
export function parseOutsideActors(act: unknown, issuer: string): ActorClaim | undefined {
  const actors: Omit<ActorClaim, 'act'>[] = [];
  for (let next = act; next !== undefined;) {
    const { data } = OutsideActor.safeParse(next);
    if (!data || actors.length >= ACTORS_MAX - 1) return undefined;
    const { iss = issuer, sub, version } = data;
    actors.push({ iss, sub, ...(version !== undefined && { version }) });
    next = data.act;
  }
  const chain = chainOf(actors);
  return Buffer.byteLength(JSON.stringify(chain ?? {})) > CHAIN_MAX_BYTES ? undefined : chain;
}

/** Claims of a token for a registered MCP server or plugin: one call, one user, and everyone who acts for them. */
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
  project: z.enum(['Core', 'Commerce']),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
});
export type AgentTokenClaims = z.output<typeof AgentTokenClaims>;

export type NewAgentToken = Omit<AgentTokenClaims, 'iat' | 'exp' | 'jti'>;

/** Maximum lifetime of a token for one call, in seconds. */
export const AGENT_TOKEN_SECONDS = 300;

/** Signs ES256 tokens for calls, each with the current key. `lives`: lifetime in seconds. */
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
 * Returns the claims of a valid token for a call, whatever its audience. Returns `undefined` for every other token: an access token of
 * this installation has `sid`.
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

/** Whether the scope of tokens for calls has scopes of the APIs that the former one lacks. */
export function addsScopes(scope = '', former = ''): boolean {
  const had = new Set(words(former));
  return words(scope).some((one) => isGrantableScope(one) && !had.has(one));
}
