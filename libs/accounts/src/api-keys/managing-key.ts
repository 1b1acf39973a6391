import { effectiveScopes, isAdminScope, type Project } from '@millwright/auth';
import { decodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { lockActiveAccountAlone } from '../lock-account.js';
import { isLive } from '../rights/credential-limit.js';
import { expiryIn } from './api-keys.store.js';

/** A key that requests the creation, change or revocation of keys and OAuth clients of its owner, in its project. */
export interface ManagingKey {
  /** Id of the key. */
  id: string;
  userId: string;
  project: Project;
}

/**
 * Reads the key, and locks its owner's account.
 * @throws AppError unauthorized when the key was revoked or has expired meanwhile, or its owner is no longer active.
 */
export async function requireManagingKey(tx: Tx, { id, userId }: ManagingKey) {
  if (!(await lockActiveAccountAlone(tx, userId))) throw new AppError('unauthorized');
  const uuid = decodeId('key', id);
  const key =
    uuid && (await tx.userApiKey.findFirst({ where: { id: uuid, user_id: userId, kind: 'api_key', ...isLive() } }));
  if (!key) throw new AppError('unauthorized');
  return key;
}

/**
 * Returns the reason why a key with the scopes `held` cannot give a new key or client the scope `scope`, or undefined when it can. The
 * reason completes a message that begins with the scope. No key can give scopes of admins or `keys:write`, so the check does not need the
 * role of the owner.
 */
export function whyNotGiven(held: readonly string[], scope: string): string | undefined {
  if (scope === '*') return 'is given in the console only; name the scopes';
  if (scope === 'keys:write' || isAdminScope(scope)) return 'is given in the console only';
  return effectiveScopes(held, ['user']).has(scope) ? undefined : 'is not a scope of the key of this request';
}

/**
 * Requires that a key with the scopes `held` can give all scopes of `wanted`.
 * @throws AppError validation_error with the field `scopes` when the key cannot give one of them
 */
export function requireHeld(held: readonly string[], wanted: readonly string[]): void {
  for (const scope of wanted) {
    const reason = whyNotGiven(held, scope);
    if (reason !== undefined) throw invalidField('scopes', `${scope} ${reason}`);
  }
}

/**
 * Returns the expiry of a key or client that another key makes. It is never later than the expiry of the key that makes it.
 *
 * @param lifeDays lifetime in days; `null`: no expiry; `undefined`: `standardDays`, or until the expiry of the key that makes it if that is earlier
 * @throws AppError validation_error with the field `expires_in_days` when the requested lifetime ends later than that expiry
 */
export function expiryWithin(
  latest: Date | null,
  lifeDays: number | null | undefined,
  standardDays: number | null,
): Date | undefined {
  const wanted = expiryIn(lifeDays === undefined ? standardDays : lifeDays);
  if (!latest || (wanted && wanted <= latest)) return wanted;
  if (lifeDays === undefined) return latest;
  const reason = `must end by ${latest.toISOString()}, when the key of this request expires; leave it out for that time`;
  throw invalidField('expires_in_days', reason);
}
