import { recordStrangerDenial, type Actor } from '@millwright/audit';
import { encodeId, type Database } from '@millwright/db';
import { ACCOUNT_COLUMNS, type AccountRow } from './principal.js';
import type { Project } from './projects.js';
import { parseKey, secretMatches } from './secrets.js';

export interface FoundPat extends AccountRow {
  id: string;
  project: Project;
  /** Whether the token is live: neither the token nor its device, if it has one, is revoked or expired. */
  live: boolean;
  device_id: string | null;
  /** The device's key; null without a device. */
  public_key: Buffer | null;
}

const FIND_PAT = `
  SELECT k.id, k.project, k.secret_hash, ${ACCOUNT_COLUMNS}, d.id AS device_id, d.public_key,
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
           AND d.revoked_at IS NULL AND (d.expires_at IS NULL OR d.expires_at > now()) AS live
    FROM user_api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN devices d ON d.key_id = k.id
   WHERE k.public_id = $1 AND k.kind = 'pat'`;

/**
 * Finds the personal access token with this text, whether it is live or not. Returns `undefined` for every other text.
 * An attempt with a wrong secret of a known token is recorded as a stranger's attempt.
 */
export async function findPat(
  db: Database,
  text: string,
  from: Pick<Actor, 'requestId' | 'ip'> = {},
): Promise<FoundPat | undefined> {
  const parts = parseKey('pat', text);
  if (!parts) return undefined;
  const [row] = await db.prepared<FoundPat & { secret_hash: Buffer }>('find-pat', FIND_PAT, [parts.publicId]);
  if (!row || secretMatches(parts.secret, row.secret_hash)) return row;
  const { requestId, ip } = from;
  const actor = { requestId, ip, userId: row.user_id, kind: 'user', label: row.user_name } as const;
  const entry = { actor, action: 'pat.use', resource: encodeId('key', row.id), project: row.project };
  await recordStrangerDenial(db, entry, 'wrong secret');
  return undefined;
}
