import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  expiryWithin,
  requireHeld,
  requireManagingKey,
  whyNotGiven,
  type ManagingKey,
} from '../api-keys/managing-key.js';
import { ClientScopes, parseField } from '../fields.js';
import { requireRights } from '../rights/credential-rights.js';
import {
  issueOAuthClient,
  requireClient,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
  type ClientChanges,
  type IssuedOAuthClient,
  type NewOAuthClient,
  type OAuthClientRecord,
} from './oauth-clients.store.js';

export { findOwnClient, listOwnClients } from './oauth-clients.store.js';
export type { ManagingKey } from '../api-keys/managing-key.js';

/** The properties of a new OAuth client that a key requests. */
export interface WantedClient extends Pick<NewOAuthClient, 'name' | 'redirectUris' | 'scopes' | 'mcpTools'> {
  /** Lifetime in days; `null`: no expiry. Default: until the expiry of the key that makes the client. */
  lifeDays?: number | null | undefined;
}

/**
 * Makes an OAuth client at the request of a key. The client has the same owner and project, only scopes that the key has, and no later expiry. Its
 * scopes are named one by one. It has no scopes of admins or of keys. It stays valid when the key is revoked. The audit row has the id of the key.
 *
 * @throws AppError unauthorized when the key was revoked or has expired meanwhile, or its owner is no longer active; validation_error with the field
 * whose value is not allowed; conflict when the owner has the maximum number of clients.
 */
export async function issueClientByKey(
  tx: Tx,
  key: ManagingKey,
  { lifeDays, ...wanted }: WantedClient,
  actor: Actor,
): Promise<IssuedOAuthClient> {
  const { id, userId, project } = key;
  const parent = await requireManagingKey(tx, key);
  const scopes = parseField('scopes', ClientScopes, wanted.scopes);
  requireHeld(parent.scopes, scopes);
  const expiresAt = expiryWithin(parent.expires_at, lifeDays, null);
  await requireRights(tx, userId, { scopes }, { byAdmin: false });
  return issueOAuthClient(tx, { ...wanted, userId, project, expiresAt, key: id }, actor);
}

/**
 * Changes a client at the request of a key.
 * @throws AppError as {@link requireClientWithin}; validation_error with the field whose value is not allowed.
 */
export async function updateClientByKey(
  tx: Tx,
  key: ManagingKey,
  clientId: string,
  changes: ClientChanges,
  actor: Actor,
): Promise<OAuthClientRecord> {
  await requireClientWithin(tx, key, clientId);
  return updateOAuthClient(tx, clientId, changes, actor, { userId: key.userId, key: key.id });
}

/**
 * Makes a new secret for a client, with a new lifetime that ends at the expiry of the key at the latest.
 *
 * @throws AppError as {@link requireClientWithin}; validation_error with the field `expires_in_days` when the lifetime
 * is too long; conflict when another request has rotated the client meanwhile.
 */
export async function rotateClientByKey(
  tx: Tx,
  key: ManagingKey,
  clientId: string,
  { overlapHours, lifeDays }: { overlapHours?: number | undefined; lifeDays?: number | null | undefined },
  actor: Actor,
): Promise<IssuedOAuthClient> {
  const parent = await requireClientWithin(tx, key, clientId);
  const expiresAt = expiryWithin(parent.expires_at, lifeDays, null);
  return rotateOAuthClient(tx, clientId, actor, { userId: key.userId, overlapHours, expiresAt, key: key.id });
}

/**
 * Revokes a client of the key's owner in the key's project, even a client with more rights than the key.
 * @throws AppError not_found when the owner has no such client in the project
 */
export async function revokeClientByKey(tx: Tx, key: ManagingKey, clientId: string, actor: Actor): Promise<void> {
  await requireClientOf(tx, key, clientId);
  await revokeOAuthClient(tx, clientId, actor, { userId: key.userId, key: key.id });
}

async function requireClientOf(tx: Tx, { userId, project }: ManagingKey, clientId: string) {
  const client = await requireClient(tx, clientId, userId);
  if (client.project !== project) throw new AppError('not_found');
  return client;
}

/**
 * Checks that a key gains no rights by changing a client: the key must have every scope of the client, and must not expire before the client. Returns
 * the key.
 *
 * @throws AppError unauthorized when the key was revoked or has expired meanwhile, or its owner is no longer active; not_found, also for a revoked
 * client and for a client of another user or project; forbidden for a client with more rights than the key.
 */
async function requireClientWithin(tx: Tx, key: ManagingKey, clientId: string) {
  const managing = await requireManagingKey(tx, key);
  const client = await requireClientOf(tx, key, clientId);
  if (client.revoked_at) throw new AppError('not_found');
  const forbidden = (reason: string) => new AppError('forbidden', { fields: [{ field: 'client_id', reason }] });
  for (const scope of client.scopes)
    if (whyNotGiven(managing.scopes, scope) !== undefined)
      throw forbidden(`the client has the scope ${scope}, and the key of this request cannot give it; use the console`);
  const end = managing.expires_at;
  if (end && (!client.expires_at || client.expires_at > end))
    throw forbidden(`the client is valid after ${end.toISOString()}, when the key of this request expires`);
  return managing;
}
