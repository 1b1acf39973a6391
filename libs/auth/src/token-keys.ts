import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@millwright/config';
import type { Database } from '@millwright/db';
import { calculateJwkThumbprint } from 'jose';

export type TokenIssuer = 'admin-auth' | 'runtime-api';

/** A private key for signing. `kid` is the RFC 7638 thumbprint under which its public half is published. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: JsonWebKey;
}

/** Reads a P-256 private key (PEM, PKCS #8). @throws ConfigError with the variable SIGNING_KEY_FILE when the file does not contain such a key. */
export async function loadSigningKey(file: string): Promise<SigningKey> {
  return signingKeyOf(await readPrivateKey(file));
}

/** Creates a key for this process only. */
export const newSigningKey = (): Promise<SigningKey> =>
  signingKeyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

async function signingKeyOf(privateKey: KeyObject): Promise<SigningKey> {
  const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return { kid: await calculateJwkThumbprint(publicJwk), privateKey, publicJwk };
}

async function readPrivateKey(file: string): Promise<KeyObject> {
  try {
    const key = createPrivateKey(await readFile(file, 'utf8'));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // An unreadable file causes the error below, which does not contain the content of the file.
  }
  throw new ConfigError([
    { variable: 'SIGNING_KEY_FILE', reason: 'must name a readable file with a P-256 private key in PEM form' },
  ]);
}

/**
 * Time for which tokens of a key are accepted after the last process stopped signing with the key: twice the longest
 * lifetime of a token.
 */
const OVERLAP = '2 hours';
/** Time for which a retired key stays in the JWK Set. Clients also verify agent cards with the keys of this set. */
const PUBLISHED_RETIRED = '90 days';

/**
 * Publishes the public half of the key that a process signs with, so that every service can verify tokens while the issuer is down. The
 * issuer's earlier keys are retired after the overlap. When a process that still signs with an earlier key publishes that key again, the
 * overlap of the key starts again.
 *
 * @throws ConfigError when the key itself was retired or revoked.
 */
export async function publishSigningKey(db: Database, issuer: TokenIssuer, key: SigningKey): Promise<void> {
  const [published] = await db.prepared<{ retired: boolean | null }>(
    'publish-signing-key',
    `INSERT INTO signing_keys AS k (kid, issuer, public_jwk, active_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (kid) DO UPDATE SET active_at = coalesce(k.active_at, now()),
       retired_at = CASE WHEN k.retired_at > now() THEN now() + interval '${OVERLAP}' ELSE k.retired_at END
     RETURNING retired_at <= now() OR revoked_at IS NOT NULL AS retired`,
    [key.kid, issuer, JSON.stringify(key.publicJwk)],
  );
  if (published?.retired) {
    const reason = 'names a key that was retired or revoked: rotate to a new one';
    throw new ConfigError([{ variable: 'SIGNING_KEY_FILE', reason }]);
  }
  await db.prepared(
    'retire-former-signing-keys',
    `UPDATE signing_keys SET retired_at = now() + interval '${OVERLAP}'
      WHERE issuer = $2 AND retired_at IS NULL AND active_at < (SELECT active_at FROM signing_keys WHERE kid = $1)`,
    [key.kid, issuer],
  );
}

/** Returns whether the key was revoked because it leaked. */
export async function isRevokedKey(db: Database, kid: string): Promise<boolean> {
  const text = 'SELECT FROM signing_keys WHERE kid = $1 AND revoked_at IS NOT NULL';
  return (await db.prepared('revoked-signing-key', text, [kid])).length > 0;
}

interface KeyRow {
  kid: string;
  public_jwk: JsonWebKey;
}

const LIVE_KEYS =
  'SELECT kid, public_jwk FROM signing_keys WHERE issuer = $1 AND revoked_at IS NULL AND (retired_at IS NULL OR retired_at > now())';
const PUBLISHED_KEYS = `
  SELECT kid, public_jwk FROM signing_keys
   WHERE issuer = $1 AND revoked_at IS NULL AND (retired_at IS NULL OR retired_at > now() - interval '${PUBLISHED_RETIRED}')
   ORDER BY created_at DESC`;

/** Returns the issuer's JWK Set (RFC 7517 §5). */
export async function readJwks(db: Database, issuer: TokenIssuer): Promise<{ keys: JsonWebKey[] }> {
  const rows = await db.prepared<KeyRow>('published-signing-keys', PUBLISHED_KEYS, [issuer]);
  return { keys: rows.map(({ kid, public_jwk }) => ({ ...public_jwk, kid, use: 'sig', alg: 'ES256' })) };
}

/** Returns every key that the issuer ever had, so that the seals of the audit log stay verifiable. */
export async function readIssuedKeys(db: Database, issuer: TokenIssuer): Promise<(JsonWebKey & { kid: string })[]> {
  const text = 'SELECT kid, public_jwk FROM signing_keys WHERE issuer = $1 ORDER BY created_at';
  const rows = await db.prepared<KeyRow>('issued-signing-keys', text, [issuer]);
  return rows.map(({ kid, public_jwk }) => ({ ...public_jwk, kid }));
}

/** Finds a key that the issuer ever had, retired or not. */
export function createIssuedKeyFinder(db: Database, issuer: TokenIssuer) {
  const keys = new Map<string, KeyObject>();
  return async (kid: string): Promise<KeyObject | undefined> => {
    if (!keys.has(kid))
      for (const jwk of await readIssuedKeys(db, issuer))
        keys.set(jwk.kid, createPublicKey({ key: jwk, format: 'jwk' }));
    return keys.get(kid);
  };
}

/**
 * Ages of the cached public keys, in milliseconds. From REFRESH_MS on, they are reloaded in the background. From
 * STALE_MS on, requests wait for the reload, so that a revoked key is soon refused.
 */
const REFRESH_MS = 5_000;
const STALE_MS = 10_000;
/**
 * Minimum interval between reloads for which requests wait: reloads for an unknown `kid`, and reloads while the
 * database is unavailable.
 */
const AGAIN_MS = 1_000;

/**
 * Finds an issuer's public key by `kid`; ten seconds after its revocation at the latest, a key is no longer found.
 * Returns keys from memory while the database is unavailable.
 *
 * @throws the database's error for a key that is not in memory.
 */
export function createKeyFinder(db: Database, issuer: TokenIssuer, now: () => number = Date.now) {
  let keys = new Map<string, KeyObject>();
  let loadedAt = -Infinity;
  let waitedAt = -Infinity;
  let loading: Promise<void> | undefined;
  async function load(): Promise<void> {
    const startedAt = now();
    const rows = await db.prepared<KeyRow>('live-signing-keys', LIVE_KEYS, [issuer]);
    keys = new Map(rows.map((row) => [row.kid, createPublicKey({ key: row.public_jwk, format: 'jwk' })]));
    loadedAt = startedAt;
  }
  /** Concurrent calls share one load. After a failure, the next call loads again. */
  function refresh(): Promise<void> {
    loading ??= load().finally(() => (loading = undefined));
    return loading;
  }
  return async (kid: string): Promise<KeyObject | undefined> => {
    const age = now() - loadedAt;
    if (!keys.has(kid)) {
      if (age > AGAIN_MS) await refresh();
    } else if (age > STALE_MS && (loading !== undefined || now() - waitedAt > AGAIN_MS)) {
      waitedAt = now();
      await refresh().catch(() => undefined); // an error of the reload is ignored: the cached key is then used
    } else if (age > REFRESH_MS) void refresh().catch(() => undefined);
    return keys.get(kid);
  };
}
