import { recordDecision, type Actor } from '@millwright/audit';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import {
  ACCOUNT_COLUMNS,
  rolesOf,
  userOf,
  worksInItsProject,
  type AccountRow,
  type Plan,
  type Principal,
  type Project,
} from './principal.js';
import { requireRights } from './credential-rights.js';
import { effectiveScopes, isGrantableScope } from './scopes.js';
import { hashSecret, keyPrefix, newKey, parseKey, secretMatches, type KeyKind } from './secrets.js';

export interface NewApiKey {
  userId: string;
  /** Default: `api_key`. */
  kind?: KeyKind | undefined;
  name: string;
  scopes: readonly string[];
  plan: Plan;
  project: Project;
  expiresAt?: Date | undefined;
}

/** An API key as it is listed: never with its secret. */
export interface ApiKeyRecord {
  id: string;
  kind: string;
  name: string;
  /** How the key begins: enough to tell it from others, and nothing of its secret. */
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

/** `key` is in this answer once and nowhere else. */
export type IssuedApiKey = ApiKeyRecord & { key: string };

/** How long a rotated key or secret goes on working beside its successor, where nothing else is asked for. */
export const ROTATION_OVERLAP_HOURS = 24;

/** @throws AppError validation_error naming `scopes` or `name`. */
export async function issueApiKey(tx: Tx, input: NewApiKey, actor: Actor): Promise<IssuedApiKey> {
  const unknown = input.scopes.find((scope) => !isGrantableScope(scope));
  if (unknown !== undefined) throw invalidField('scopes', `"${unknown}" is not a scope`);
  if (input.scopes.length === 0) throw invalidField('scopes', 'must name at least one scope');
  if (input.name.trim() === '' || input.name.length > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const kind = input.kind ?? 'api_key';
  const { publicId, secret, text } = newKey(kind);
  const row = await tx.userApiKey.create({
    data: {
      id: newId(),
      user_id: input.userId,
      kind,
      public_id: publicId,
      name: input.name.trim(),
      secret_hash: new Uint8Array(hashSecret(secret)),
      scopes: [...input.scopes],
      plan: input.plan,
      project: input.project,
      expires_at: input.expiresAt ?? null,
    },
  });
  const record = toRecord(row);
  const detail = { kind, name: record.name, scopes: [...input.scopes], plan: input.plan };
  await recordDecision(tx, { actor, action: 'api_key.create', resource: record.id, project: input.project, detail });
  return { ...record, key: text };
}

export interface Rotation {
  /** Whose key it has to be. */
  userId?: string | undefined;
  /** How long the old one works on. Default: {@link ROTATION_OVERLAP_HOURS}; 0 ends it at once. */
  overlapHours?: number | undefined;
}

/**
 * A successor with the same rights, as far as the owner may have them now; the old key works on for the overlap.
 *
 * @throws AppError not_found, conflict for a key that was rotated, revoked or expired or is a device's, validation_error naming the right that the
 *   owner no longer has.
 */
export async function rotateApiKey(
  tx: Tx,
  id: string,
  actor: Actor,
  { userId, overlapHours = ROTATION_OVERLAP_HOURS }: Rotation = {},
): Promise<IssuedApiKey> {
  const old = await requireLiveKey(tx, id, userId);
  if (old.successor_id) throw new AppError('conflict');
  // Its successor would live on when the device is revoked: a device makes itself a new one.
  if ((await tx.device.count({ where: { key_id: old.id } })) > 0) throw new AppError('conflict');
  const kept = { project: old.project as Project, plan: old.plan as Plan, scopes: old.scopes };
  // An admin gave the plan once; that it goes on needs no other.
  const rights = await requireRights(tx, old.user_id, kept, { byAdmin: true });
  const renewed = { ...rights, kind: old.kind as KeyKind, name: old.name, expiresAt: old.expires_at ?? undefined };
  const issued = await issueApiKey(tx, renewed, actor);
  const overlapEnd = new Date(Date.now() + overlapHours * 3_600_000);
  const expires = old.expires_at && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
  const { count } = await tx.userApiKey.updateMany({
    where: { id: old.id, successor_id: null, revoked_at: null },
    data: {
      successor_id: decodeId('key', issued.id) ?? null,
      ...(overlapHours > 0 ? { expires_at: expires } : { revoked_at: new Date() }),
    },
  });
  if (count === 0) throw new AppError('conflict'); // rotated or revoked by someone else meanwhile
  const detail = { successor: issued.id, overlap_hours: overlapHours };
  await recordDecision(tx, { actor, action: 'api_key.rotate', resource: id, project: old.project, detail });
  return issued;
}

/** Refused from the next request on. Revoking twice is no error. `userId`: whose key it has to be. */
export async function revokeApiKey(tx: Tx, id: string, actor: Actor, userId?: string): Promise<ApiKeyRecord> {
  const key = await requireKey(tx, id, userId);
  const { count } = await tx.userApiKey.updateMany({
    where: { id: key.id, revoked_at: null },
    data: { revoked_at: new Date() },
  });
  if (count > 0) await recordDecision(tx, { actor, action: 'api_key.revoke', resource: id, project: key.project });
  return toRecord(await requireKey(tx, id));
}

/** API keys and personal access tokens, newest first. */
export async function listApiKeys(db: Database, userId?: string): Promise<ApiKeyRecord[]> {
  const rows = await db.prisma.userApiKey.findMany({
    where: userId === undefined ? {} : { user_id: userId },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toRecord);
}

/** Someone else's is not there. */
async function requireKey(tx: Tx, id: string, userId?: string) {
  const uuid = decodeId('key', id);
  const row = uuid && (await tx.userApiKey.findUnique({ where: { id: uuid } }));
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('not_found');
  return row;
}

async function requireLiveKey(tx: Tx, id: string, userId?: string) {
  const row = await requireKey(tx, id, userId);
  if (row.revoked_at || (row.expires_at && row.expires_at <= new Date())) throw new AppError('conflict');
  return row;
}

function toRecord(row: Awaited<ReturnType<typeof requireKey>>): ApiKeyRecord {
  return {
    id: encodeId('key', row.id),
    kind: row.kind,
    name: row.name,
    prefix: keyPrefix(row.kind as KeyKind, row.public_id),
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

interface CredentialRow extends AccountRow {
  id: string;
  secret_hash: Buffer;
  scopes: string[];
  plan: Plan;
  project: Project;
  usable: boolean;
  used_recently: boolean;
}

/** One query: key, owner, project. A revoked or expired key and a disabled owner are told apart by nobody. */
const FIND_KEY = `
  SELECT k.id, k.secret_hash, k.scopes, k.plan, k.project, ${ACCOUNT_COLUMNS},
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.status = 'active'
           AND ${worksInItsProject('k')} AS usable,
         coalesce(k.last_used_at > now() - interval '1 minute', false) AS used_recently
    FROM user_api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.public_id = $1 AND k.kind = 'api_key'`;

/** Turns the text of an API key into its principal; `undefined` for anything that is not a live key of an active account. */
export function createApiKeyVerifier(db: Database): (text: string) => Promise<Principal | undefined> {
  return async (text) => {
    const parts = parseKey('api_key', text);
    if (!parts) return undefined;
    const [row] = await db.prepared<CredentialRow>('find-api-key', FIND_KEY, [parts.publicId]);
    if (!row || !secretMatches(parts.secret, row.secret_hash) || !row.usable) return undefined;
    if (!row.used_recently) noteUse(db, row.id);
    const roles = rolesOf(row);
    return {
      user: userOf(row),
      project: row.project,
      roles,
      scopes: effectiveScopes(row.scopes, roles.includes('admin')),
      credential: { kind: 'api_key', id: encodeId('key', row.id), plan: row.plan },
    };
  };
}

/** Off the request's path; a lost note is made good by the next request. */
function noteUse(db: Database, id: string): void {
  db.prepared(
    'note-api-key-use',
    `UPDATE user_api_keys SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [id],
  ).catch(() => undefined);
}
