import type { Database } from '@millwright/db';
import { secretMatches } from './secrets.js';

/** The columns that {@link clientSecretMatches} needs. */
export interface ClientSecrets {
  secret_hash: Uint8Array | null;
  previous_secret_hash: Uint8Array | null;
  previous_secret_until: Date | null;
}

/**
 * Whether a text is the secret of the client, or its former secret within the overlap of a rotation. Always false for
 * public clients.
 */
export function clientSecretMatches(secret: string, client: ClientSecrets, now = Date.now()): boolean {
  const { secret_hash, previous_secret_hash: previous, previous_secret_until: until } = client;
  if (!secret_hash) return false;
  if (secretMatches(secret, secret_hash)) return true;
  return previous !== null && until !== null && until.getTime() > now && secretMatches(secret, previous);
}

/**
 * Stores the time of the client's use, at most once a minute, without delaying the request. When the write fails, the
 * next use repeats it.
 */
export function noteClientUse(db: Database, id: string): void {
  db.prepared(
    'note-oauth-client-use',
    `UPDATE oauth_clients SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [id],
  ).catch(() => undefined);
}
