import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import {
  isRevokedKey,
  loadSigningKey,
  newSigningKey,
  publishSigningKey,
  type SigningKey,
  type TokenIssuer,
} from './token-keys.js';

/** Interval at which the key file is read again. */
const CHECK_MS = 10_000;
/**
 * Time between the publication of a key and its first signature: longer than a verifier waits before it reads an
 * unknown key.
 */
const PUBLICATION_MS = 2_000;

export interface WatchOptions {
  file: string;
  onRotation: (kid: string) => void;
  /** Called when the file or the database cannot be read. The current key stays in use. */
  onError: (error: unknown) => void;
  /** Interval of the checks in milliseconds. */
  checkEvery?: number;
}

export interface WatchedKey {
  /** Returns the key that signs new tokens. */
  current: () => SigningKey;
  /** Ends the watch. */
  stop: () => Promise<void>;
}

/**
 * Follows the key in a file, whose content may be replaced while the process runs. A new key is published first. The
 * process signs with the new key once every verifier has read it. Tokens of the former key stay valid until they
 * expire. When the key in the file is revoked, the process signs with a temporary key until the file has another key.
 *
 * @throws ConfigError when there is no valid key at the start.
 */
export async function watchSigningKey(db: Database, issuer: TokenIssuer, options: WatchOptions): Promise<WatchedKey> {
  const { file, onRotation, onError, checkEvery = CHECK_MS } = options;
  let key = await loadSigningKey(file);
  await publishSigningKey(db, issuer, key);
  const stopping = new AbortController();
  const { signal } = stopping;
  const isOver = () => signal.aborted;

  async function nextKey(): Promise<SigningKey> {
    const inFile = await loadSigningKey(file);
    if (!(await isRevokedKey(db, inFile.kid))) return inFile;
    return (await isRevokedKey(db, key.kid)) ? newSigningKey() : key;
  }

  async function check(): Promise<void> {
    const found = await nextKey();
    await publishSigningKey(db, issuer, found); // an unchanged key is published again too: that marks the key as still in use
    if (found.kid === key.kid) return;
    await pause(PUBLICATION_MS, undefined, { signal });
    key = found;
    onRotation(found.kid);
  }

  const watching = (async () => {
    for (;;) {
      await pause(checkEvery, undefined, { signal, ref: false }).catch(() => undefined);
      if (isOver()) return;
      await check().catch((error: unknown) => isOver() || onError(error));
    }
  })();

  return {
    current: () => key,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
