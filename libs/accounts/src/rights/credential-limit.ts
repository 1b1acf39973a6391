import type { KeyKind } from '@millwright/auth';
import type { Prisma, Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { lockAccount } from '../lock-account.js';

/**
 * Maximum number of an account's live credentials of each kind, and of its rotated credentials that are still valid.
 * Each credential has separate rate limits, so without this maximum an account could raise its limits as far as it
 * likes.
 */
export const CREDENTIALS_PER_ACCOUNT = 20;

/** Condition for keys that are neither revoked nor expired. */
export const isLive = (): Prisma.UserApiKeyWhereInput => ({
  revoked_at: null,
  OR: [{ expires_at: null }, { expires_at: { gt: new Date() } }],
});

/**
 * Requires that the account may have one more key. Locks the account, so that keys that are created concurrently are
 * counted one after the other.
 * @throws AppError not_found; conflict when the account has the maximum number of such keys
 */
export async function requireRoomForKey(tx: Tx, userId: string, kind: KeyKind): Promise<void> {
  await lockAccount(tx, userId, () => undefined);
  // Tokens of devices are not counted, because a device's new token replaces its former token, and is revoked with the device.
  const where = { ...isLive(), user_id: userId, kind, successor_id: null, ...(kind === 'pat' && { device: null }) };
  requireRoom(await tx.userApiKey.count({ where }), kind === 'pat' ? 'personal access tokens' : 'API keys');
}

/**
 * Requires that the account may have one more rotated key that is still valid, and locks the account.
 * @throws AppError not_found; conflict when the account has the maximum number of such keys
 */
export async function requireRoomForRotated(tx: Tx, userId: string): Promise<void> {
  await lockAccount(tx, userId, () => undefined);
  const count = await tx.userApiKey.count({ where: { ...isLive(), user_id: userId, successor_id: { not: null } } });
  requireRoom(count, 'rotated keys that are still valid');
}

/**
 * Requires that the account may have one more OAuth client, and locks the account.
 * @throws AppError not_found; conflict when the account has the maximum number of clients
 */
export async function requireRoomForClient(tx: Tx, userId: string): Promise<void> {
  await lockAccount(tx, userId, () => undefined);
  requireRoom(await tx.oAuthClient.count({ where: { user_id: userId, revoked_at: null } }), 'OAuth clients');
}

/** Requires that a locked account may have one more passkey. @throws AppError conflict when the account has the maximum number of passkeys */
export async function requireRoomForPasskey(tx: Pick<Tx, 'passkey'>, userId: string): Promise<void> {
  requireRoom(await tx.passkey.count({ where: { user_id: userId, removed_at: null } }), 'passkeys', 'remove');
}

function requireRoom(count: number, what: string, remedy = 'revoke'): void {
  if (count < CREDENTIALS_PER_ACCOUNT) return;
  const reason = `has ${CREDENTIALS_PER_ACCOUNT} ${what}, the most an account can have; ${remedy} one first`;
  throw new AppError('conflict', { fields: [{ field: 'user', reason }] });
}
