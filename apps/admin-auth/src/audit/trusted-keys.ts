import { createPinnedKeyFinder, readPinnedKeys, type TrustedKeys } from '@millwright/audit';
import { createIssuedKeyFinder } from '@millwright/auth/signing-keys';
import { ConfigError } from '@millwright/config';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/**
 * Loads the trusted keys for a check of the audit log. The file is read for each check, so a rotated key applies without a restart.
 *
 * @throws AppError unavailable when the file cannot be read. The keys of the database must not replace the file, because an attacker with
 *   access to the database could have added them.
 */
export async function loadTrustedKeys(db: Database, pinnedKeysFile: string | undefined): Promise<TrustedKeys> {
  if (pinnedKeysFile === undefined) return { source: 'database', findKey: createIssuedKeyFinder(db, 'admin-auth') };
  const keys = await readPinnedKeys(pinnedKeysFile).catch((cause: unknown) => {
    throw new AppError('unavailable', { cause });
  });
  return { source: 'pinned', findKey: createPinnedKeyFinder(keys) };
}

/**
 * Reads the ids of the pinned keys when the service starts; undefined when no file is configured.
 *
 * @throws ConfigError when the file contains no key of admin-auth.
 */
export async function readPinnedKids(pinnedKeysFile: string | undefined): Promise<string[] | undefined> {
  if (pinnedKeysFile === undefined) return undefined;
  const keys = await readPinnedKeys(pinnedKeysFile).catch(() => []);
  if (keys.length > 0) return keys.map(({ kid }) => kid);
  const reason =
    'must name a file with the public keys of admin-auth: a JWK Set, or the output of signing-keys list --json';
  throw new ConfigError([{ variable: 'AUDIT_PINNED_KEYS_FILE', reason }]);
}
