import { recordStrangerDenial, type Actor } from '@millwright/audit';
import { encodeId, type Database } from '@millwright/db';
import type { Request } from 'express';
import {
  ACCOUNT_COLUMNS,
  rolesOf,
  userOf,
  worksInItsProject,
  type AccountRow,
  type Plan,
  type Principal,
} from './principal.js';
import type { Project } from './projects.js';
import { effectiveScopes } from './scopes.js';
import { parseKey, secretMatches } from './secrets.js';

interface CredentialRow extends AccountRow {
  id: string;
  secret_hash: Buffer;
  scopes: string[];
  plan: Plan;
  project: Project;
  usable: boolean;
  used_recently: boolean;
}

/**
 * One query reads key, owner and project. It returns no row for a revoked key, an expired key or a disabled owner, so that the answer does
 * not distinguish these cases.
 */
const FIND_KEY = `
  SELECT k.id, k.secret_hash, k.scopes, k.plan, k.project, ${ACCOUNT_COLUMNS},
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.status = 'active'
           AND ${worksInItsProject('k')} AS usable,
         coalesce(k.last_used_at > now() - interval '1 minute', false) AS used_recently
    FROM user_api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.public_id = $1 AND k.kind = 'api_key'`;

/**
 * Verifies an API key. Returns its principal, or `undefined` for every text that is not a live key of an active account. A failed attempt
 * with a known key is recorded as an attempt of a stranger: a wrong or invalid secret does not prove who sent it.
 */
export function createApiKeyVerifier(
  db: Database,
  requestOrigin?: (request: Request) => Pick<Actor, 'requestId' | 'ip'>,
): (text: string, request?: Request) => Promise<Principal | undefined> {
  return async (text, request) => {
    const parts = parseKey('api_key', text);
    if (!parts) return undefined;
    const [row] = await db.prepared<CredentialRow>('find-api-key', FIND_KEY, [parts.publicId]);
    if (!row) return undefined;
    const hasSecret = secretMatches(parts.secret, row.secret_hash);
    if (!hasSecret || !row.usable) {
      await recordStrangerDenial(
        db,
        {
          actor: { ...(request && requestOrigin?.(request)), userId: row.user_id, kind: 'user', label: row.user_name },
          action: 'api_key.use',
          resource: encodeId('key', row.id),
          project: row.project,
        },
        hasSecret ? 'the key has ended' : 'wrong secret',
      );
      return undefined;
    }
    if (!row.used_recently) noteUse(db, row.id);
    const roles = rolesOf(row);
    return {
      user: userOf(row),
      project: row.project,
      roles,
      scopes: effectiveScopes(row.scopes, roles),
      credential: { kind: 'api_key', id: encodeId('key', row.id), plan: row.plan },
    };
  };
}

/**
 * Stores the time at which a key was used. The request does not wait for the write; when the write fails, the next
 * request repeats it.
 */
function noteUse(db: Database, id: string): void {
  db.prepared(
    'note-api-key-use',
    `UPDATE user_api_keys SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [id],
  ).catch(() => undefined);
}
