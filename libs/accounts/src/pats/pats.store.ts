import { recordDecision, type Actor } from '@millwright/audit';
import { hashSecret, newKey, type Project } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';

export interface NewPat {
  userId: string;
  name: string;
  project: Project;
  expiresAt: Date;
}

/** Creates a personal access token, `mw_pat_…`. Only this call returns the token (`text`); the database has only a hash. */
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
