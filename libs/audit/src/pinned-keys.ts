import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { PublicSealKey } from './audit-file.js';
import type { FindSealKey } from './seal.js';

/** The service that seals the audit log. A list may contain keys of other services, which are ignored. */
const ISSUER = 'admin-auth';
const Listed = z.looseObject({
  kid: z.string(),
  issuer: z.string().default(ISSUER),
  public_jwk: z.looseObject({}).optional(),
});
const KeyFile = z.union([z.array(Listed), z.looseObject({ keys: z.array(Listed) }).transform(({ keys }) => keys)]);

/**
 * Reads trusted public keys from a JWK Set, or from the list that `signing-keys list --json` prints.
 *
 * @throws for a file of any other form.
 */
export async function readPinnedKeys(path: string): Promise<PublicSealKey[]> {
  const listed = KeyFile.parse(JSON.parse(await readFile(path, 'utf8')));
  const own = listed.filter(({ issuer }) => issuer === ISSUER);
  return own.map((key) => ({ ...(key.public_jwk ?? key), kid: key.kid }));
}

/** Finds only keys in `keys`. A seal by any other key is a fault, even when the database lists that key. */
export function createPinnedKeyFinder(keys: readonly PublicSealKey[]): FindSealKey {
  const byKid = new Map<string, KeyObject>();
  for (const { kid, ...jwk } of keys) {
    const key = readKey(jwk);
    if (key) byKid.set(kid, key);
  }
  return (kid) => Promise.resolve(byKid.get(kid));
}

function readKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined; // undefined, so that no signature by an unknown key is valid
  }
}
