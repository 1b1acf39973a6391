import { recordDecision, type Actor } from '@millwright/audit';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { lockAccount, lockActiveAccount } from '../lock-account.js';
import type { UserRow } from '../user-record.js';
import { requireUserByEmail } from '../users/users.store.js';

/** Lifetime of a setup token from an operator. */
const OPERATOR_TOKEN_HOURS = 24;
/** Maximum number of live setup tokens from registration per account. */
const MOST_REGISTRATION_TOKENS = 5;
/** Lifetime of a setup token from registration. */
const REGISTRATION_TOKEN_HOURS = 0.25;

export interface SetupToken {
  /** The token. Only this answer contains the token; the database stores its SHA-256. */
  token: string;
  email: string;
  expires_at: string;
}

/**
 * Issues a one-time token with which the owner of an existing account enrols the first passkey within 24 hours.
 *
 * @throws AppError not_found, conflict when the account is inactive or has a passkey.
 */
export async function issueSetupToken(tx: Tx, email: string, actor: Actor): Promise<SetupToken> {
  const user = await requireUserByEmail(tx, email);
  return mintSetupToken(tx, user, 'operator', OPERATOR_TOKEN_HOURS, actor);
}

/**
 * Issues a one-time token with which a registered user enrols their first passkey within 15 minutes; returns
 * `undefined` while the account has five live tokens. The requester has not proved to own the account, so the audit row
 * names a stranger.
 *
 * @throws AppError not_found, conflict when the account is inactive or has a passkey.
 */
export async function issueRegistrationToken(
  tx: Tx,
  email: string,
  request: Pick<Actor, 'requestId' | 'ip'>,
): Promise<SetupToken | undefined> {
  const user = await requireUserByEmail(tx, email);
  // Concurrent registrations of one account wait here for each other, so that each of them counts the tokens of the others.
  await lockAccount(tx, user.id, () => undefined);
  const live = { user_id: user.id, origin: 'registration', used_at: null, expires_at: { gt: new Date() } };
  if ((await tx.setupToken.count({ where: live })) >= MOST_REGISTRATION_TOKENS) return undefined;
  const actor: Actor = { ...request, userId: user.id, kind: 'user', label: user.name };
  return mintSetupToken(tx, user, 'registration', REGISTRATION_TOKEN_HOURS, actor);
}

async function mintSetupToken(
  tx: Tx,
  user: UserRow,
  origin: 'operator' | 'registration',
  hours: number,
  actor: Actor,
): Promise<SetupToken> {
  const isActive = await lockActiveAccount(tx, user.id);
  const passkeys = await tx.passkey.count({ where: { user_id: user.id, removed_at: null } });
  if (!isActive || passkeys > 0) throw new AppError('conflict');
  // A token from an operator ends earlier tokens, which may have reached the wrong person. A token from a registration ends no other token,
  // because anyone can register in another person's name.
  if (origin === 'operator') {
    const now = new Date();
    await tx.setupToken.updateMany({
      where: { user_id: user.id, used_at: null, expires_at: { gt: now } },
      data: { expires_at: now },
    });
  }
  const token = newOneTimeToken();
  const expires = new Date(Date.now() + hours * 3_600_000);
  const expires_at = expires.toISOString();
  await tx.setupToken.create({
    data: { id: newId(), user_id: user.id, token_hash: new Uint8Array(hashSecret(token)), origin, expires_at: expires },
  });
  await recordDecision(tx, {
    actor,
    action: 'setup_token.create',
    resource: encodeId('usr', user.id),
    project: user.project,
    detail: { expires_at, origin, ...(origin === 'registration' && { by: 'stranger' }) },
  });
  return { token, email: user.email, expires_at };
}
