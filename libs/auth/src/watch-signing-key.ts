import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import { loadSigningKey, publishSigningKey, type SigningKey, type TokenIssuer } from './token-keys.js';

/** How often the file is read again. */
const LOOK_MS = 10_000;
/** Between a key's publication and its first signature: longer than any verifier waits before it asks for a key it does not know. */
const KNOWN_EVERYWHERE_MS = 2_000;

export interface WatchOptions {
  file: string;
  onRotation: (kid: string) => void;
  /** The file or the database cannot be read: the key at hand is used on. */
  onError: (error: unknown) => void;
  /** Milliseconds. */
  lookEvery?: number;
}

export interface WatchedKey {
  /** What to sign with now. */
  current: () => SigningKey;
  /** Ends the watch. */
  stop: () => Promise<void>;
}

/**
 * The key in a file, which may be replaced while the process runs: the new one is published first and signs when every verifier
 * knows it; tokens of the old one stay good until they expire.
 *
 * @throws ConfigError when there is no good key to begin with.
 */
export async function watchSigningKey(db: Database, issuer: TokenIssuer, options: WatchOptions): Promise<WatchedKey> {
  const { file, onRotation, onError, lookEvery = LOOK_MS } = options;
  let key = await loadSigningKey(file);
  await publishSigningKey(db, issuer, key);
  const stopping = new AbortController();
  const { signal } = stopping;
  const isOver = () => signal.aborted;

  async function look(): Promise<void> {
    const found = await loadSigningKey(file);
    await publishSigningKey(db, issuer, found); // also says that the key is still in use
    if (found.kid === key.kid) return;
    await pause(KNOWN_EVERYWHERE_MS, undefined, { signal });
    key = found;
    onRotation(found.kid);
  }

  const watching = (async () => {
    for (;;) {
      await pause(lookEvery, undefined, { signal, ref: false }).catch(() => undefined);
      if (isOver()) return;
      await look().catch((error: unknown) => isOver() || onError(error));
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
