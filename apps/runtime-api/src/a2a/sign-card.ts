import { createHash, sign } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { SigningKey } from '@millwright/auth/signing-keys';
import { LRUCache } from 'lru-cache';
import { cardOf, type CardAgent, type CardJson } from './card.js';

export interface SignedCard {
  card: CardJson;
  /**
   * The ETag of a card, which changes with the card and with the key. The tag is weak, because two signatures of the same card differ in
   * their bytes.
   */
  tag: string;
}

/** Limit of cached card signatures. */
const KEPT = 5_000;

const signOnThread = promisify(sign);

/**
 * Renders and signs an agent's card once for each version of the card, with a key that this installation's JWKS publishes (A2A 1.0 §8.4: a JWS over
 * the card's canonical JSON, RFC 8785). A card has two signatures. The second one is for `@a2a-js/sdk`, which omits the security schemes from the
 * canonical form of a card that it has parsed. A page has a hundred cards. Therefore each card is rendered in a separate turn of the event loop and
 * signed on another thread.
 */
export function createCardSigner(source: SigningKey | (() => SigningKey), runtimeUrl: string) {
  const kept = new LRUCache<string, Promise<SignedCard>>({ max: KEPT });

  async function render(agent: CardAgent, key: SigningKey): Promise<SignedCard> {
    await setImmediate();
    const card = cardOf(agent, runtimeUrl);
    const payload = canonicalizeAgentCard(card as CardJson & AgentCard);
    const parsedPayload = canonicalizeAgentCard(AgentCard.fromJSON(card));
    const header = { alg: 'ES256', kid: key.kid, typ: 'JOSE', jku: `${runtimeUrl}/.well-known/jwks.json` };
    const signatures = await Promise.all([payload, parsedPayload].map((text) => jwsOf(text, header, key)));
    return { card: { ...card, signatures }, tag: `W/"${digestOf(`${key.kid} ${payload}`)}"` };
  }

  return (agent: CardAgent): Promise<SignedCard> => {
    const key = typeof source === 'function' ? source() : source;
    const version = digestOf(`${key.kid} ${JSON.stringify(agent)}`);
    const known = kept.get(version);
    if (known) return known;
    const signed = render(agent, key);
    kept.set(version, signed);
    // A failure is returned to the caller but not cached.
    signed.catch(() => kept.delete(version));
    return signed;
  };
}
export type SignCard = ReturnType<typeof createCardSigner>;

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Makes a JWS without its payload, because the payload is the card (RFC 7515 §7.2.2). */
async function jwsOf(payload: string, header: object, { privateKey }: SigningKey) {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const protectedHeader = encode(JSON.stringify(header));
  const input = Buffer.from(`${protectedHeader}.${encode(payload)}`);
  const signature = await signOnThread('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { protected: protectedHeader, signature: signature.toString('base64url') };
}
