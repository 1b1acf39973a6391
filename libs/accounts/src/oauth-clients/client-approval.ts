import { recordDecision, type Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { auditTarget, requireClient } from './oauth-clients.store.js';

/**
 * Records that an admin approves a client of any user. A database trigger ends the approval when the name, the redirect URIs, the scopes or
 * the grant types change. Approving twice is not an error.
 *
 * @throws AppError not_found, conflict for a revoked client.
 */
export async function approveOAuthClient(tx: Tx, id: string, actor: Actor): Promise<void> {
  const client = await requireClient(tx, id);
  if (client.revoked_at) throw new AppError('conflict');
  const { name, redirect_uris, scopes } = client;
  const { count } = await tx.oAuthClient.updateMany({
    // Approves only the values that the admin saw: another request may change the client at the same moment.
    where: { id: client.id, revoked_at: null, approved_at: null, name, redirect_uris: { equals: redirect_uris } },
    data: { approved_at: new Date(), approved_by: actor.userId },
  });
  if (count === 0 && (await requireClient(tx, id)).approved_at === null) throw new AppError('conflict');
  if (count === 0) return;
  const detail = { name, redirect_uris, scopes };
  await recordDecision(tx, { actor, action: 'oauth_client.approve', ...auditTarget(client), detail });
}

/** Ends the approval of a client. Ending it twice is not an error. @throws AppError not_found when there is no such client */
export async function withdrawApproval(tx: Tx, id: string, actor: Actor): Promise<void> {
  const client = await requireClient(tx, id);
  const { count } = await tx.oAuthClient.updateMany({
    where: { id: client.id, approved_at: { not: null } },
    data: { approved_at: null, approved_by: null },
  });
  if (count > 0) await recordDecision(tx, { actor, action: 'oauth_client.withdraw_approval', ...auditTarget(client) });
}
