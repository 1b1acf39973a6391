import type { Actor } from '@millwright/audit';
import type { Plan } from '@millwright/auth';
import { decodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { requireRights } from '../rights/credential-rights.js';
import { issueApiKey, KEY_LIFE_DAYS, revokeApiKey, type IssuedApiKey } from './api-keys.store.js';
import { expiryWithin, requireHeld, requireManagingKey, type ManagingKey } from './managing-key.js';

export { listLiveKeys } from './api-keys.store.js';
export type { ManagingKey } from './managing-key.js';

/** The properties of a new key that another key requests. */
export interface WantedKey {
  name: string;
  scopes: readonly string[];
  plan?: Plan | undefined;
  /**
   * Lifetime in days; `null`: no expiry. Default: {@link KEY_LIFE_DAYS}, or until the expiry of the requesting key if
   * that is earlier.
   */
  lifeDays?: number | null | undefined;
}

/**
 * Makes an API key at the request of another key. The new key has the same owner and project, only scopes that the requesting key has, no higher plan
 * and no later expiry. Its scopes are named one by one. It has no scopes of admins, and cannot make further keys. It stays valid when the requesting
 * key is revoked. The audit row has the id of the requesting key.
 *
 * @throws AppError unauthorized when the requesting key was revoked or has expired meanwhile, or its owner is no longer active; validation_error with
 * the field `scopes`, `plan`, `expires_in_days` or `name` when its value is not allowed; conflict when the owner has the maximum number of live keys.
 */
export async function issueKeyByKey(
  tx: Tx,
  managing: ManagingKey,
  { name, scopes, plan = 'standard', lifeDays }: WantedKey,
  actor: Actor,
): Promise<IssuedApiKey> {
  const { id, userId, project } = managing;
  const parent = await requireManagingKey(tx, managing);
  requireHeld(parent.scopes, scopes);
  if (plan === 'professional' && parent.plan !== 'professional')
    throw invalidField('plan', 'is at most standard, the plan of the key of this request');
  const expiresAt = expiryWithin(parent.expires_at, lifeDays, KEY_LIFE_DAYS);
  // The plan needs no admin here, because an admin gave the parent key its plan.
  await requireRights(tx, userId, { plan, scopes }, { byAdmin: true });
  return issueApiKey(tx, { userId, name, scopes, plan, project, expiresAt, parent: id }, actor);
}

/**
 * Revokes an API key at the request of another key, or of the key itself.
 *
 * @throws AppError not_found, also for a personal access token and for a key of another user or project.
 */
export async function revokeKeyByKey(tx: Tx, { id, userId, project }: ManagingKey, target: string, actor: Actor) {
  const uuid = decodeId('key', target);
  const where = { user_id: userId, project, kind: 'api_key' };
  if (!uuid || (await tx.userApiKey.count({ where: { id: uuid, ...where } })) === 0) throw new AppError('not_found');
  await revokeApiKey(tx, target, actor, userId, { by: id });
}
