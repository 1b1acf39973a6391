import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import { ACCOUNT_COLUMNS, type AccountRow, type Project } from './principal.js';
import { hashSecret, newKey, parseKey, secretMatches } from './secrets.js';

export interface NewPat {
  userId: string;
  name: string;
  project: Project;
  expiresAt: Date;
}

/** A personal access token: `mw_pat_…`. `text` is in this answer once; stored is its SHA-256. */
export async function issuePat(
  tx: Tx,
  { userId, name, project, expiresAt }: NewPat,
  actor: Actor,
): Promise<{ id: string; text: string }> {
  const { publicId, secret, text } = newKey('pat');
  const id = newId();
  await tx.userApiKey.create({
    data: {
      id,
      user_id: userId,
      kind: 'pat',
      public_id: publicId,
      name,
      secret_hash: new Uint8Array(hashSecret(secret)),
      scopes: ['*'],
      project,
      expires_at: expiresAt,
    },
  });
  const detail = { name, expires_at: expiresAt.toISOString() };
  await recordDecision(tx, { actor, action: 'pat.create', resource: encodeId('key', id), project, detail });
  return { id, text };
}

export interface FoundPat extends AccountRow {
  id: string;
  project: Project;
  /** Neither revoked nor expired, nor is its device, where it has one. */
  live: boolean;
  device_id: string | null;
  /** SubjectPublicKeyInfo, DER. */
  public_key: Buffer | null;
}

const FIND_PAT = `
  SELECT k.id, k.project, k.secret_hash, ${ACCOUNT_COLUMNS}, d.id AS device_id, d.public_key,
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
           AND d.revoked_at IS NULL AND (d.expires_at IS NULL OR d.expires_at > now()) AS live
    FROM user_api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN devices d ON d.key_id = k.id
   WHERE k.public_id = $1 AND k.kind = 'pat'`;

/** The row of a token whose secret is right, whatever its state; `undefined` for every other text. */
export async function findPat(db: Database, text: string): Promise<FoundPat | undefined> {
  const parts = parseKey('pat', text);
  if (!parts) return undefined;
  const [row] = await db.prepared<FoundPat & { secret_hash: Buffer }>('find-pat', FIND_PAT, [parts.publicId]);
  return row && secretMatches(parts.secret, row.secret_hash) ? row : undefined;
}
