import { recordDecision, type Actor } from '@millwright/audit';
import { hashSecret, keyPrefix, newKey, type KeyKind, type Plan, type Project } from '@millwright/auth';
import { decodeId, encodeId, newId, type Database, type Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { KeyScopes, Name, parseField } from '../fields.js';
import {
  CREDENTIALS_PER_ACCOUNT,
  isLive,
  requireRoomForKey,
  requireRoomForRotated,
} from '../rights/credential-limit.js';
import { requireRights } from '../rights/credential-rights.js';
import { ROTATION_OVERLAP_HOURS, type Rotation } from '../rights/rotation.js';

/** Maximum number of valid keys of an account: as many keys as the limit of the account allows, and the same number of rotated keys. */
const MOST_LIVE = 2 * CREDENTIALS_PER_ACCOUNT;

/** Default lifetime of a key or token. */
export const KEY_LIFE_DAYS = 90;

export interface NewApiKey {
  userId: string;
  /** Kind of the key. Default: `api_key`. */
  kind?: KeyKind | undefined;
  name: string;
  scopes: readonly string[];
  plan: Plan;
  project: Project;
  expiresAt?: Date | undefined;
  /** Id of the key whose request makes this key. */
  parent?: string | undefined;
}

type KeyRow = Prisma.UserApiKeyGetPayload<object>;

/** A row of the table. The checks of the table guarantee the types of `kind`, `plan` and `project`. */
type StoredApiKey = KeyRow & { kind: KeyKind; plan: Plan; project: Project };

const toKey = (row: KeyRow) => row as StoredApiKey;

/** An API key as lists show it: never with its secret. */
export interface ApiKeyRecord {
  id: string;
  kind: string;
  name: string;
  /** Beginning of the key, by which people distinguish their keys. It contains nothing of the secret. */
  prefix: string;
  scopes: string[];
  plan: string;
  project: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  successor_id: string | null;
}

/** The answer to the creation of a key. Only this answer contains the key. */
export type IssuedApiKey = ApiKeyRecord & { key: string };

/**
 * Creates a key for an account.
 * @throws AppError validation_error with the field `scopes` or `name` when its value is not allowed; conflict when the
 * owner has the maximum number of live keys.
 */
export async function issueApiKey(tx: Tx, input: NewApiKey, actor: Actor): Promise<IssuedApiKey> {
  await requireRoomForKey(tx, input.userId, input.kind ?? 'api_key');
  return insertKey(tx, input, actor);
}

async function insertKey(tx: Tx, input: NewApiKey, actor: Actor): Promise<IssuedApiKey> {
  const scopes = [...parseField('scopes', KeyScopes, input.scopes)];
  const name = parseField('name', Name, input.name);
  const kind = input.kind ?? 'api_key';
  const { publicId, secret, text } = newKey(kind);
  const row = await tx.userApiKey.create({
    data: {
      id: newId(),
      user_id: input.userId,
      kind,
      public_id: publicId,
      name,
      secret_hash: new Uint8Array(hashSecret(secret)),
      scopes,
      plan: input.plan,
      project: input.project,
      expires_at: input.expiresAt ?? null,
    },
  });
  const record = toRecord(toKey(row));
  const { parent } = input;
  const detail = { kind, name, scopes, plan: input.plan, ...(parent !== undefined && { parent }) };
  await recordDecision(tx, { actor, action: 'api_key.create', resource: record.id, project: input.project, detail });
  return { ...record, key: text };
}

const DAY_MS = 86_400_000;

/**
 * Returns the time at which a key with this lifetime in days expires, counted from now. Returns `undefined` for `null`,
 * which means no expiry.
 */
export const expiryIn = (days: number | null): Date | undefined =>
  days === null ? undefined : new Date(Date.now() + days * DAY_MS);

export interface KeyRotation extends Rotation {
  /** Lifetime of the successor in days. Default: {@link KEY_LIFE_DAYS}; `null`: no expiry. */
  lifeDays?: number | null | undefined;
}

/**
 * Replaces a key by a successor with the same rights and a new lifetime. The old key stays valid for the overlap, but not beyond the old key's
 * expiry.
 *
 * @throws AppError not_found; conflict for a key that was rotated or revoked, has expired or belongs to a device, and when too many rotated keys of
 * the owner are still valid; validation_error with the field `project` or `scopes` when the owner has lost a right of the key.
 */
export async function rotateApiKey(
  tx: Tx,
  id: string,
  actor: Actor,
  { userId, overlapHours = ROTATION_OVERLAP_HOURS, lifeDays = KEY_LIFE_DAYS }: KeyRotation = {},
): Promise<IssuedApiKey> {
  const old = await requireLiveKey(tx, id, userId);
  if (old.successor_id) throw new AppError('conflict');
  // The key of a device gets no successor, because the successor would stay valid after the device is revoked. The device obtains new tokens itself.
  if ((await tx.device.count({ where: { key_id: old.id } })) > 0) throw new AppError('conflict');
  const kept = { project: old.project, plan: old.plan, scopes: old.scopes };
  // The plan needs no admin here, because an admin gave the old key its plan.
  const rights = await requireRights(tx, old.user_id, kept, { byAdmin: true });
  const renewed = { ...rights, kind: old.kind, name: old.name, expiresAt: expiryIn(lifeDays) };
  if (overlapHours > 0) await requireRoomForRotated(tx, old.user_id);
  const issued = await insertKey(tx, renewed, actor);
  const overlapEnd = new Date(Date.now() + overlapHours * 3_600_000);
  const expires = old.expires_at && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
  const { count } = await tx.userApiKey.updateMany({
    where: { id: old.id, successor_id: null, revoked_at: null },
    data: {
      successor_id: decodeId('key', issued.id) ?? null,
      ...(overlapHours > 0 ? { expires_at: expires } : { revoked_at: new Date() }),
    },
  });
  if (count === 0) throw new AppError('conflict'); // another request has rotated or revoked the key meanwhile
  const detail = { successor: issued.id, overlap_hours: overlapHours, expires_at: issued.expires_at };
  await recordDecision(tx, { actor, action: 'api_key.rotate', resource: id, project: old.project, detail });
  return issued;
}

/**
 * Revokes a key with effect from the next request. Revoking twice is not an error. With `userId`, the key must belong to that user.
 * `detail` is added to the audit row.
 */
export async function revokeApiKey(
  tx: Tx,
  id: string,
  actor: Actor,
  userId?: string,
  detail?: Record<string, string>,
): Promise<ApiKeyRecord> {
  const key = await requireKey(tx, id, userId);
  const { count } = await tx.userApiKey.updateMany({
    where: { id: key.id, revoked_at: null },
    data: { revoked_at: new Date() },
  });
  const row = { actor, action: 'api_key.revoke', resource: id, project: key.project, ...(detail && { detail }) };
  if (count > 0) await recordDecision(tx, row);
  return toRecord(await requireKey(tx, id));
}

/** Lists the live API keys of a user in a project, newest first. */
export async function listLiveKeys(db: Database, userId: string, project: Project): Promise<ApiKeyRecord[]> {
  const rows = await db.prisma.userApiKey.findMany({
    where: { user_id: userId, project, kind: 'api_key', ...isLive() },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: MOST_LIVE,
  });
  return rows.map((row) => toRecord(toKey(row)));
}

/** Lists API keys and personal access tokens, newest first. */
export async function listApiKeys(db: Database, userId?: string): Promise<ApiKeyRecord[]> {
  const rows = await db.prisma.userApiKey.findMany({
    where: userId === undefined ? {} : { user_id: userId },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
  return rows.map((row) => toRecord(toKey(row)));
}

/** A live key or token that was not used for the number of days of the report. */
export interface UnusedKey {
  id: string;
  kind: string;
  name: string;
  owner: string;
  project: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/** Maximum rows of a report of unused keys. */
const MOST_UNUSED = 1_000;

/**
 * Lists live keys and tokens of active accounts that were not used for more than `days` days. For a key that was never used, the days since its
 * creation count. The key that was unused for the longest time comes first.
 */
export async function listUnusedKeys(db: Database, days: number): Promise<UnusedKey[]> {
  const rows = await db.prisma.$queryRaw<(KeyRow & { email: string })[]>`
    SELECT k.*, u.email FROM user_api_keys k JOIN users u ON u.id = k.user_id AND u.status = 'active'
     WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND coalesce(k.last_used_at, k.created_at) < now() - make_interval(days => ${days}::int)
     ORDER BY coalesce(k.last_used_at, k.created_at), k.id LIMIT ${MOST_UNUSED}`;
  return rows.map((row) => ({
    id: encodeId('key', row.id),
    kind: row.kind,
    name: row.name,
    owner: row.email,
    project: row.project,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Finds a key by its public id. @throws AppError not_found when the key does not exist or belongs to another user than `userId`. */
async function requireKey(tx: Tx, id: string, userId?: string) {
  const uuid = decodeId('key', id);
  const row = uuid && (await tx.userApiKey.findUnique({ where: { id: uuid } }));
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('not_found');
  return toKey(row);
}

async function requireLiveKey(tx: Tx, id: string, userId?: string) {
  const row = await requireKey(tx, id, userId);
  if (row.revoked_at || (row.expires_at && row.expires_at <= new Date())) throw new AppError('conflict');
  return row;
}

function toRecord(row: StoredApiKey): ApiKeyRecord {
  return {
    id: encodeId('key', row.id),
    kind: row.kind,
    name: row.name,
    prefix: keyPrefix(row.kind, row.public_id),
    scopes: row.scopes,
    plan: row.plan,
    project: row.project,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    successor_id: row.successor_id && encodeId('key', row.successor_id),
  };
}
