import { z } from 'zod';

/** An actor that acts for the user. `act` is the next actor, for which this actor acts (RFC 8693 §4.1). */
export interface ActorClaim {
  /** The issuer that named an actor of another system; undefined for an agent or client of this installation. */
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

/** Returns the actors of a chain as a list. The list begins with the outermost actor, which acted last. */
export function actorsOf(act: ActorClaim | undefined): Omit<ActorClaim, 'act'>[] {
  const actors: Omit<ActorClaim, 'act'>[] = [];
  for (let next = act; next !== undefined; next = next.act) {
    const { iss, sub, version } = next;
    actors.push({ ...(iss !== undefined && { iss }), sub, ...(version !== undefined && { version }) });
  }
  return actors;
}

/** Returns the chain of these actors, followed by the actors of `former`. The first actor of the list becomes the outermost actor. */
export const chainOf = (actors: readonly Omit<ActorClaim, 'act'>[], former?: ActorClaim): ActorClaim | undefined =>
  actors.reduceRight<ActorClaim | undefined>((act, actor) => ({ ...actor, ...(act && { act }) }), former);

/** Returns the name of an actor in the audit log. */
export const actorName = ({ iss, sub, version }: Omit<ActorClaim, 'act'>): string =>
  `${sub}${version === undefined ? '' : `@${version}`}${iss === undefined ? '' : ` of ${iss}`}`;

/** The chain of actors for which a credential acts, and the ids by which that credential can be revoked. */
export interface Delegation {
  act: ActorClaim;
  /** Row id of the credential's grant. */
  grant: string;
  /** Id of the credential. When only the credential is revoked, and not its grant, the grant's list of revoked tokens contains this id. */
  token: string;
  /** Public id of the run of this installation whose token was exchanged for the credential. */
  txn?: string | undefined;
}

/**
 * Maximum size of the chain of actors in an assertion, in bytes of JSON. The limit is needed because the chain becomes part of an access
 * token, which is sent in a header.
 */
const CHAIN_MAX_BYTES = 4_096;
/** A printable text, because the text is stored and shown. */
const ActorText = z.string().regex(/^\P{C}{1,255}$/u);
const OutsideActor = z.object({
  iss: ActorText.optional(),
  sub: ActorText,
  version: z.int().optional().catch(undefined),
  act: z.unknown().optional(),
});

/**
 * Returns the chain of actors in an issuer's assertion. An actor without an issuer belongs to the issuer of the
 * assertion. Returns `undefined` when the chain is malformed or too large, or when it already has the maximum number of
 * actors, so that no agent could be added.
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
