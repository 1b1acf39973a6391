import type { Egress } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import type { RateLimiter } from '@millwright/rate-limit';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** A number of at most 4,096 bits, as base64url. */
const Base64Url = z.string().regex(/^[\w-]{1,683}$/);
const shared = {
  kid: z.string().max(200).optional(),
  alg: z.string().max(20).optional(),
  use: z.literal('sig').optional(),
  /** A private key is refused, because a published private key proves nothing. */
  d: z.never().optional(),
};

/** A client's public key (RFC 7517). Other members are dropped. */
const PublicKey = z.discriminatedUnion('kty', [
  z.object({ ...shared, kty: z.literal('EC'), crv: z.literal('P-256'), x: Base64Url, y: Base64Url }),
  z.object({ ...shared, kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: Base64Url }),
  z.object({ ...shared, kty: z.literal('RSA'), n: Base64Url, e: z.string().regex(/^[\w-]{1,11}$/) }),
]);

/**
 * Limit of a client's keys. A client needs more than one key, because it publishes its current keys and its next keys during a rotation.
 */
const MAX_KEYS = 5;
/** Maximum length of the keys' JSON, in characters. */
const MAX_KEYS_LENGTH = 4_096;

const KeySet = z
  .object({ keys: z.array(PublicKey).min(1).max(MAX_KEYS) })
  .refine((set) => JSON.stringify(set).length <= MAX_KEYS_LENGTH);

/** Whether a text is an https URL in normal form without credentials. */
const isKeysAddress = (text: string): boolean => {
  const url = text.startsWith('https://') && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.href === text && url.hash === '' && url.username === '' && url.password === '';
};

/** The keys of a client that uses `private_key_jwt`, by value or by address (RFC 7591 §2). */
export const ClientKeys = z.union([
  z.object({ jwks: KeySet, jwks_uri: z.undefined().optional() }),
  z.object({ jwks: z.undefined().optional(), jwks_uri: z.string().max(512).refine(isKeysAddress) }),
]);
export type ClientKeys = z.output<typeof ClientKeys>;

/** Accepted algorithms of clients' signatures. All of them are asymmetric. */
export const CLIENT_ALGORITHMS = ['ES256', 'EdDSA', 'PS256', 'RS256'];

/** Limit of key reads per host. */
const OF_HOST = { name: 'client-keys-of-host', limit: 30 } as const;
const MAX_BYTES = 64 * 1_024;
const MOST_READ = 1_000;

export interface ClientKeyFinderOptions {
  egress: Pick<Egress, 'fetch'>;
  limiter: Pick<RateLimiter, 'consumeAll'>;
}

/**
 * Finds the key of a client's signature. Keys at a URL are read again after ten minutes. When a signature names an unknown key, they are
 * read again at once, but at most every 30 s.
 */
export function createClientKeyFinder({ egress, limiter }: ClientKeyFinderOptions) {
  const remote = new LRUCache<string, JWTVerifyGetKey>({ max: MOST_READ });

  async function read(url: string, init: { headers?: Headers; signal?: AbortSignal }) {
    const [decision] = await limiter.consumeAll([{ budget: OF_HOST, key: new URL(url).host }]);
    if (decision?.admitted === false) throw new AppError('rate_limited', { retryAfter: 60 });
    return egress.fetch(url, {
      ...init,
      kind: 'client_document',
      profile: { timeoutMs: 5_000, maxBytes: MAX_BYTES },
    });
  }

  return ({ jwks, jwks_uri: uri }: ClientKeys): JWTVerifyGetKey => {
    if (jwks !== undefined) return createLocalJWKSet(jwks);
    const known = remote.get(uri);
    const find = known ?? createRemoteJWKSet(new URL(uri), { [customFetch]: read });
    if (!known) remote.set(uri, find);
    return find;
  };
}
export type FindClientKey = ReturnType<typeof createClientKeyFinder>;
