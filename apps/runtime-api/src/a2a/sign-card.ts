import { createHash, sign } from 'node:crypto';
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { SigningKey } from '@millwright/auth';
import type { CardJson } from './card.js';

export interface SignedCard {
  card: CardJson;
  /** Changes with the card and with the key. Weak: no two signatures of the same card are the same bytes. */
  tag: string;
}

/** Cards whose signatures are kept. */
const KEPT = 1_000;

/**
 * Signs cards with the key of the installation (A2A 1.0 §8.4: a JWS over the card's canonical JSON, RFC 8785), which its JWKS shows. The
 * second signature is for `@a2a-js/sdk`, whose canonical form of a card that it has parsed lacks the security schemes.
 */
export function createCardSigner(source: SigningKey | (() => SigningKey), runtimeUrl: string) {
  const kept = new Map<string, SignedCard>();
  return (card: CardJson): SignedCard => {
    const key = typeof source === 'function' ? source() : source;
    const payload = canonicalizeAgentCard(card as unknown as AgentCard);
    const digest = createHash('sha256').update(`${key.kid} ${payload}`).digest('base64url');
    const known = kept.get(digest);
    if (known) return known;
    const header = { alg: 'ES256', kid: key.kid, typ: 'JOSE', jku: `${runtimeUrl}/.well-known/jwks.json` };
    const signatures = [payload, canonicalizeAgentCard(AgentCard.fromJSON(card))].map((text) =>
      jwsOf(text, header, key),
    );
    const signed = { card: { ...card, signatures }, tag: `W/"${digest}"` };
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? digest);
    kept.set(digest, signed);
    return signed;
  };
}
export type SignCard = ReturnType<typeof createCardSigner>;

/** RFC 7515 §7.2.2, without the payload: that is the card itself. */
function jwsOf(payload: string, header: object, { privateKey }: SigningKey) {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const protectedHeader = encode(JSON.stringify(header));
  const input = Buffer.from(`${protectedHeader}.${encode(payload)}`);
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return { protected: protectedHeader, signature };
}
