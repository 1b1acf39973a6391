import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { isJsonObject } from '@millwright/json';
import { createLocalJWKSet, decodeProtectedHeader, flattenedVerify } from 'jose';
import { z } from 'zod';

/** `verified`: one of the card's signatures is valid by an allowed key. `invalid`: no signature is valid. */
export const CARD_SIGNATURES = ['verified', 'unsigned', 'invalid'] as const;
export type CardSignature = (typeof CARD_SIGNATURES)[number];

export interface CardKeys {
  /** The origin of the card. The `jku` of a signature is used only when it has this origin. */
  origin: string;
  /** JWKS URL that an admin set; null to use the `jku` of the signature. */
  url: string | null;
  /** Reads a JSON document. */
  read: (url: string) => Promise<unknown>;
}

/** Accepted algorithms: only those with a public key. With a secret that the card publishes, anyone could sign. */
const ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
const MOST_SIGNATURES = 8;
const MOST_KEYS = 100;

const Signatures = z.array(
  z.object({ protected: z.string(), signature: z.string(), header: z.record(z.string(), z.unknown()).optional() }),
);
const KeySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MOST_KEYS),
});

/**
 * Verifies the signatures of a card (A2A 1.0 §8.4: JWS over the card's canonical JSON). A card of A2A 0.3 counts as unsigned, because
 * signatures of A2A 1.0 are made over another form of the card. Also accepts a signature over the form that `@a2a-js/sdk` has parsed. That
 * form lacks the security schemes, which are not used here.
 *
 * @throws the errors of `keys.read`
 */
export async function verifyCard(json: unknown, parsed: AgentCard, keys: CardKeys): Promise<CardSignature> {
  if (!isJsonObject(json) || !('supportedInterfaces' in json) || 'url' in json) return 'unsigned';
  const given = json['signatures'] ?? [];
  if (Array.isArray(given) && given.length === 0) return 'unsigned';
  const { success, data: signatures } = Signatures.max(MOST_SIGNATURES).safeParse(given);
  if (!success) return 'invalid';
  const payloads = [json as unknown as AgentCard, AgentCard.fromJSON(json), parsed].map(toPayload);
  const keySetAt = createKeySets(keys);
  for (const signature of signatures) {
    const keySet = await keySetAt(jkuOf(signature));
    if (!keySet) continue;
    for (const payload of new Set(payloads)) {
      const jws = { payload, protected: signature.protected, signature: signature.signature };
      if (await isValid(jws, keySet)) return 'verified';
    }
  }
  return 'invalid';
}

const toPayload = (card: AgentCard) => Buffer.from(canonicalizeAgentCard(card)).toString('base64url');

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Makes a function that returns the keys for a signature. It reads each allowed set of keys only once. */
function createKeySets({ origin, url, read }: CardKeys) {
  const known = new Map<string, KeySet | undefined>();
  return async (jku: string | undefined): Promise<KeySet | undefined> => {
    const address = url ?? (jku !== undefined && URL.canParse(jku) && new URL(jku).origin === origin ? jku : undefined);
    if (address === undefined) return undefined;
    if (!known.has(address)) {
      const { success, data } = KeySet.safeParse(await read(address));
      known.set(address, success ? createLocalJWKSet(data) : undefined);
    }
    return known.get(address);
  };
}

function jkuOf(signature: { protected: string }): string | undefined {
  try {
    const { jku } = decodeProtectedHeader(signature);
    return typeof jku === 'string' ? jku : undefined;
  } catch {
    return undefined;
  }
}

async function isValid(jws: { payload: string; protected: string; signature: string }, keySet: KeySet) {
  try {
    await flattenedVerify(jws, keySet, { algorithms: ALGORITHMS });
    return true;
  } catch {
    return false;
  }
}
