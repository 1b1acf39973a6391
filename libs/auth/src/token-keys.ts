import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@millwright/config';
import type { Database } from '@millwright/db';
import { calculateJwkThumbprint } from 'jose';

export type TokenIssuer = 'admin-auth' | 'runtime-api';

/** A private key that signs, with the id that its public half is published under (RFC 7638 thumbprint). */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: JsonWebKey;
}

/** Reads a P-256 private key (PEM, PKCS #8). @throws ConfigError naming SIGNING_KEY_FILE. */
export async function loadSigningKey(file: string): Promise<SigningKey> {
  const privateKey = await readPrivateKey(file);
  const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return { kid: await calculateJwkThumbprint(publicJwk), privateKey, publicJwk };
}

async function readPrivateKey(file: string): Promise<KeyObject> {
  try {
    const key = createPrivateKey(await readFile(file, 'utf8'));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // told below: the file's content must not appear in the reason
  }
  throw new ConfigError([
    { variable: 'SIGNING_KEY_FILE', reason: 'must name a readable file with a P-256 private key in PEM form' },
  ]);
}

/** Publishes the public half, so that every service verifies while the issuer is down. */
export async function publishSigningKey(db: Database, issuer: TokenIssuer, key: SigningKey): Promise<void> {
  await db.prepared(
    'publish-signing-key',
    'INSERT INTO signing_keys (kid, issuer, public_jwk) VALUES ($1, $2, $3) ON CONFLICT (kid) DO NOTHING',
    [key.kid, issuer, JSON.stringify(key.publicJwk)],
  );
}

interface KeyRow {
  kid: string;
  public_jwk: JsonWebKey;
}

const LIVE_KEYS =
  'SELECT kid, public_jwk FROM signing_keys WHERE issuer = $1 AND (retired_at IS NULL OR retired_at > now())';

/** The issuer's JWK Set (RFC 7517 §5). */
export async function readJwks(db: Database, issuer: TokenIssuer): Promise<{ keys: JsonWebKey[] }> {
  const rows = await db.prepared<KeyRow>('live-signing-keys', LIVE_KEYS, [issuer]);
  return { keys: rows.map(({ kid, public_jwk }) => ({ ...public_jwk, kid, use: 'sig', alg: 'ES256' })) };
}

/** Public keys stay usable this long without asking again; an unknown `kid` asks at once, at most once a second. */
const REFRESH_MS = 60_000;
const UNKNOWN_KID_MS = 1_000;

/**
 * Finds an issuer's public key by `kid`. Keeps answering from memory while the database is away.
 *
 * @throws what the database throws, for a key that is not in memory.
 */
export function createKeyFinder(db: Database, issuer: TokenIssuer, now: () => number = Date.now) {
  let keys = new Map<string, KeyObject>();
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;
  async function load(): Promise<void> {
    const startedAt = now();
    const rows = await db.prepared<KeyRow>('live-signing-keys', LIVE_KEYS, [issuer]);
    keys = new Map(rows.map((row) => [row.kid, createPublicKey({ key: row.public_jwk, format: 'jwk' })]));
    loadedAt = startedAt;
  }
  /** Everyone who needs it waits for the same load; one that failed is tried again by the next. */
  function refresh(): Promise<void> {
    loading ??= load().finally(() => (loading = undefined));
    return loading;
  }
  return async (kid: string): Promise<KeyObject | undefined> => {
    const age = now() - loadedAt;
    const known = keys.has(kid);
    if (known && age > REFRESH_MS) void refresh().catch(() => undefined); // the key at hand is still good
    if (!known && age > UNKNOWN_KID_MS) await refresh();
    return keys.get(kid);
  };
}
