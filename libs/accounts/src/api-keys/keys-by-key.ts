import type { Actor } from '@millwright/audit';
import { effectiveScopes, isAdminScope, type Plan, type Project } from '@millwright/auth';
import { decodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { lockActiveAccountAlone } from '../lock-account.js';
import { isLive } from '../rights/credential-limit.js';
import { requireRights } from '../rights/credential-rights.js';
import { expiryIn, issueApiKey, KEY_LIFE_DAYS, revokeApiKey, type IssuedApiKey } from './api-keys.store.js';

export { listLiveKeys } from './api-keys.store.js';

/** A key whose request makes or revokes keys of its owner in its project. */
export interface ManagingKey {
  /** Id of the key. */
  id: string;
  userId: string;
  project: Project;
}

/** What a key asks of the key that it makes. */
export interface WantedKey {
  name: string;
  scopes: readonly string[];
  plan?: Plan | undefined;
  /** Lifetime in days; `null`: no expiry. Default: {@link KEY_LIFE_DAYS}, but not beyond the expiry of the key that makes it. */
  lifeDays?: number | null | undefined;
}

/**
 * Makes an API key at the request of another one: for the same owner and project, with some of its scopes, no higher plan and no later
 * expiry. Such a key has named scopes, none of admins, and makes no keys itself, so that rights do not spread. It outlives the revocation
 * of the key that made it; the audit row has that key's id.
 *
 * @throws AppError unauthorized when the key or its owner has ended meanwhile; validation_error naming `scopes`, `plan`, `expires_in_days`
 * or `name`; conflict when the owner has the maximum number of live keys.
 */
export async function issueKeyByKey(
  tx: Tx,
  { id, userId, project }: ManagingKey,
  { name, scopes, plan = 'standard', lifeDays }: WantedKey,
  actor: Actor,
): Promise<IssuedApiKey> {
  if (!(await lockActiveAccountAlone(tx, userId))) throw new AppError('unauthorized');
  const uuid = decodeId('key', id);
  const parent =
    uuid && (await tx.userApiKey.findFirst({ where: { id: uuid, user_id: userId, kind: 'api_key', ...isLive() } }));
  if (!parent) throw new AppError('unauthorized');
  requireHeld(parent.scopes, scopes);
  if (plan === 'professional' && parent.plan !== 'professional')
    throw invalidField('plan', 'is at most standard, the plan of the key of this request');
  const expiresAt = expiryWithin(parent.expires_at, lifeDays);
  // An admin gave the parent its plan.
  await requireRights(tx, userId, { plan, scopes }, { byAdmin: true });
  return issueApiKey(tx, { userId, name, scopes, plan, project, expiresAt, parent: id }, actor);
}

/** @throws AppError validation_error naming `scopes` */
function requireHeld(held: readonly string[], wanted: readonly string[]): void {
  // No key gives scopes of admins, so the owner's role is not needed.
  const available = effectiveScopes(held, ['user']);
  for (const scope of wanted) {
    if (scope === '*') throw invalidField('scopes', '* is given in the console only; name the scopes');
    if (scope === 'keys:write' || isAdminScope(scope))
      throw invalidField('scopes', `${scope} is given in the console only`);
    if (!available.has(scope)) throw invalidField('scopes', `${scope} is not a scope of the key of this request`);
  }
}

/** @throws AppError validation_error naming `expires_in_days` */
function expiryWithin(latest: Date | null, lifeDays: number | null | undefined): Date | undefined {
  const wanted = expiryIn(lifeDays === undefined ? KEY_LIFE_DAYS : lifeDays);
  if (!latest || (wanted && wanted <= latest)) return wanted;
  if (lifeDays === undefined) return latest;
  const reason = `must end by ${latest.toISOString()}, when the key of this request expires; leave it out for that time`;
  throw invalidField('expires_in_days', reason);
}

/**
 * Revokes an API key at the request of another one, or of itself.
 *
 * @throws AppError not_found, also for a personal access token and for a key of another user or project.
 */
export async function revokeKeyByKey(tx: Tx, { id, userId, project }: ManagingKey, target: string, actor: Actor) {
  const uuid = decodeId('key', target);
  const where = { user_id: userId, project, kind: 'api_key' };
  if (!uuid || (await tx.userApiKey.count({ where: { id: uuid, ...where } })) === 0) throw new AppError('not_found');
  await revokeApiKey(tx, target, actor, userId, { by: id });
}
