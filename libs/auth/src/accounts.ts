import { randomBytes } from 'node:crypto';
import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, conflictWhenTaken, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { z } from 'zod';
import { holdActive } from './hold-account.js';
import type { Project } from './principal.js';
import { hashSecret, newOneTimeToken } from './secrets.js';

export interface NewUser {
  email: string;
  name: string;
  role: 'user' | 'admin';
  platformAdmin: boolean;
  project: Project;
  /** Made by its owner at registration. */
  selfRegistered?: boolean;
}

export interface UserRecord {
  id: string;
  email: string;
  name: string;
  role: string;
  platform_admin: boolean;
  project: string;
  status: string;
  created_at: string;
}

export type UserRow = NonNullable<Awaited<ReturnType<Tx['user']['findUnique']>>>;

/** A setup token from an operator lives this long. */
const OPERATOR_TOKEN_HOURS = 24;
/** One from registration lives this long. */
const REGISTRATION_TOKEN_HOURS = 0.25;

const emailShape = z.email().max(254);

/**
 * Creates an account. It cannot sign in before a passkey is enrolled. Without an actor (the installation's first account) the
 * new user is accountable for its own creation.
 *
 * @throws AppError conflict when the email is taken, validation_error naming `email` or `name`.
 */
export async function createUser(
  tx: Tx,
  input: NewUser,
  actor?: Actor,
  from: Pick<Actor, 'requestId' | 'ip'> = {},
): Promise<UserRecord> {
  const email = parseEmail(input.email);
  if (input.name.trim() === '' || input.name.length > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const row = await tx.user
    .create({
      data: {
        id: newId(),
        email,
        name: input.name.trim(),
        role: input.platformAdmin ? 'admin' : input.role,
        platform_admin: input.platformAdmin,
        project: input.project,
        self_registered: input.selfRegistered ?? false,
        webauthn_user_id: new Uint8Array(randomBytes(32)),
      },
    })
    .catch(conflictWhenTaken);
  await recordDecision(tx, {
    actor: actor ?? { ...from, userId: row.id, kind: 'user', label: row.name },
    action: 'user.create',
    resource: encodeId('usr', row.id),
    project: row.project,
    detail: { email: row.email, role: row.role, platform_admin: row.platform_admin },
  });
  return toRecord(row);
}

/** An account's address, without blanks around it. @throws AppError validation_error naming `email`. */
export function parseEmail(text: string): string {
  const email = text.trim();
  // The local default's own account is admin@localhost, which no public address rule accepts.
  if (emailShape.safeParse(email).success || /^[^@\s]{1,64}@localhost$/.test(email)) return email;
  throw invalidField('email', 'is not an email address');
}

/** Makes a user an admin. */
export async function promoteUser(tx: Tx, email: string, actor: Actor): Promise<UserRecord> {
  const user = await requireUser(tx, email);
  if (user.role === 'admin') return toRecord(user);
  const promoted = await tx.user.update({
    where: { id: user.id },
    data: { role: 'admin', version: { increment: 1 }, updated_at: new Date() },
  });
  await recordDecision(tx, {
    actor,
    action: 'user.promote',
    resource: encodeId('usr', user.id),
    project: user.project,
  });
  return toRecord(promoted);
}

/** Changes the name that an account shows. @throws AppError validation_error naming `name`. */
export async function renameUser(tx: Tx, id: string, name: string, actor: Actor): Promise<UserRow> {
  if (name.trim() === '' || name.length > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const data = { name: name.trim(), version: { increment: 1 }, updated_at: new Date() };
  const user = await tx.user.update({ where: { id }, data });
  const detail = { name: user.name };
  await recordDecision(tx, {
    actor,
    action: 'user.rename',
    resource: encodeId('usr', id),
    project: user.project,
    detail,
  });
  return user;
}

export interface SetupToken {
  /** In this answer once; stored as its SHA-256. */
  token: string;
  email: string;
  expires_at: string;
}

/**
 * A one-shot token with which an existing account enrols its first passkey, for 24 hours.
 *
 * @throws AppError not_found, conflict when the account is inactive or has a passkey.
 */
export async function issueSetupToken(tx: Tx, email: string, actor: Actor): Promise<SetupToken> {
  const user = await requireUser(tx, email);
  return mintSetupToken(tx, user, 'operator', OPERATOR_TOKEN_HOURS, actor);
}

/** The same for someone who registered, for 15 minutes. */
export async function issueRegistrationToken(
  tx: Tx,
  email: string,
  request: Pick<Actor, 'requestId' | 'ip'>,
): Promise<SetupToken> {
  const user = await requireUser(tx, email);
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
  const isActive = await holdActive(tx, user.id);
  const passkeys = await tx.passkey.count({ where: { user_id: user.id, removed_at: null } });
  if (!isActive || passkeys > 0) throw new AppError('conflict');
  // An earlier one may have gone to the wrong person. Strangers who register in someone's name end none.
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
    detail: { expires_at, origin },
  });
  return { token, email: user.email, expires_at };
}

/** Oldest first. */
export async function listUsers(db: Database): Promise<UserRecord[]> {
  const rows = await db.prisma.user.findMany({ orderBy: [{ created_at: 'asc' }, { id: 'asc' }] });
  return rows.map(toRecord);
}

/** @throws AppError not_found */
export async function requireUser(tx: Pick<Tx, 'user'>, email: string): Promise<UserRow> {
  const user = await tx.user.findUnique({ where: { email } });
  if (!user) throw new AppError('not_found');
  return user;
}

/** Who answers for what an operator does from the command line: the oldest active platform admin. */
export async function operatorActor(tx: Pick<Tx, 'user'>): Promise<Actor | undefined> {
  const user = await tx.user.findFirst({
    where: { platform_admin: true, status: 'active' },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
  return user ? { userId: user.id, kind: 'user', label: user.name } : undefined;
}

function toRecord(row: UserRow): UserRecord {
  return {
    id: encodeId('usr', row.id),
    email: row.email,
    name: row.name,
    role: row.role,
    platform_admin: row.platform_admin,
    project: row.project,
    status: row.status,
    created_at: row.created_at.toISOString(),
  };
}
