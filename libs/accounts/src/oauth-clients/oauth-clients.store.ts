import { recordDecision, type Actor } from '@millwright/audit';
import { hashSecret, newClientId, newOpaqueSecret, type Project } from '@millwright/auth';
import { EVERY_TOOL, type ToolList } from '@millwright/auth/tool-lists';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { ClientScopes, Name, parseField, RedirectUris, ToolEntries } from '../fields.js';
import { CREDENTIALS_PER_ACCOUNT, requireRoomForClient } from '../rights/credential-limit.js';
import { ROTATION_OVERLAP_HOURS, type Rotation } from '../rights/rotation.js';

export interface NewOAuthClient {
  userId: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  project: Project;
  /** MCP tools that the client may use. Default: every tool. */
  mcpTools?: ToolList | undefined;
  /** Time from which the client and its tokens are no longer valid. Default: no expiry. */
  expiresAt?: Date | undefined;
  /** Id of the key whose request makes the client. */
  key?: string | undefined;
}

export type ClientChanges = Partial<Pick<NewOAuthClient, 'name' | 'redirectUris' | 'mcpTools'>>;

/** Identifies who changes a client. */
export interface ClientChanger {
  /** The user who must own the client. */
  userId?: string | undefined;
  /** Id of the key whose request changes the client. */
  key?: string | undefined;
}

/** Returns the audit detail that states which key requested a change. */
const byKey = (key: string | undefined) => key !== undefined && { by: key };

export interface OAuthClientRecord {
  id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  mcp_tools: string[];
  /** Project of the client; null for clients that registered themselves. */
  project: string | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  /**
   * Time at which an admin approved the client for the consent page. It becomes null when a field that the admin saw
   * changes.
   */
  approved_at: string | null;
}

/** The answer to the creation of a client. Only this answer contains `client_secret`. */
export type IssuedOAuthClient = OAuthClientRecord & { client_secret: string };

/**
 * Creates a confidential client of the runtime API's authorization server.
 *
 * @throws AppError validation_error with the field whose value is not allowed; conflict when the owner has the maximum
 * number of clients.
 */
export async function issueOAuthClient(tx: Tx, input: NewOAuthClient, actor: Actor): Promise<IssuedOAuthClient> {
  const detail = {
    name: parseField('name', Name, input.name),
    scopes: [...parseField('scopes', ClientScopes, input.scopes)],
    mcp_tools: [...parseField('mcp_tools', ToolEntries, input.mcpTools ?? EVERY_TOOL)],
    redirect_uris: [...parseField('redirect_uris', RedirectUris, input.redirectUris)],
  };
  await requireRoomForClient(tx, input.userId);
  const secret = newOpaqueSecret('mw_secret_');
  const row = await tx.oAuthClient.create({
    data: {
      id: newId(),
      client_id: newClientId(),
      user_id: input.userId,
      project: input.project,
      secret_hash: new Uint8Array(hashSecret(secret)),
      expires_at: input.expiresAt ?? null,
      made_by_key: input.key !== undefined,
      ...detail,
    },
  });
  const record = toRecord(row);
  await recordDecision(tx, {
    actor,
    action: 'oauth_client.create',
    resource: record.id,
    project: input.project,
    detail: { ...detail, ...(input.key !== undefined && { parent: input.key }) },
  });
  return { ...record, client_secret: secret };
}

/**
 * Changes fields of a client.
 * @throws AppError not_found; conflict for a revoked client; validation_error with the field whose value is not
 * allowed.
 */
export async function updateOAuthClient(
  tx: Tx,
  id: string,
  changes: ClientChanges,
  actor: Actor,
  { userId, key }: ClientChanger = {},
): Promise<OAuthClientRecord> {
  const client = await requireClient(tx, id, userId);
  if (client.revoked_at) throw new AppError('conflict');
  const { name = client.name, redirectUris = client.redirect_uris, mcpTools = client.mcp_tools } = changes;
  const detail = {
    name: parseField('name', Name, name),
    redirect_uris: [...parseField('redirect_uris', RedirectUris, redirectUris)],
    mcp_tools: [...parseField('mcp_tools', ToolEntries, mcpTools)],
  };
  const mark = key !== undefined && { made_by_key: true };
  const updated = await tx.oAuthClient.update({ where: { id: client.id }, data: { ...detail, ...mark } });
  await recordDecision(tx, {
    actor,
    action: 'oauth_client.update',
    ...auditTarget(client),
    detail: { ...detail, ...endedApproval(client, updated), ...byKey(key) },
  });
  return toRecord(updated);
}

export interface ClientRotation extends Rotation, ClientChanger {
  /** The new expiry of the client. Default: no expiry. */
  expiresAt?: Date | undefined;
}

/**
 * Gives the client a new secret and expiry. The former secret stays valid for the overlap; older secrets become invalid
 * immediately.
 *
 * @throws AppError not_found, conflict for a client that is revoked, is public or was rotated meanwhile.
 */
export async function rotateOAuthClient(
  tx: Tx,
  id: string,
  actor: Actor,
  { userId, key, expiresAt, overlapHours = ROTATION_OVERLAP_HOURS }: ClientRotation = {},
): Promise<IssuedOAuthClient> {
  const client = await requireClient(tx, id, userId);
  if (client.revoked_at || !client.secret_hash) throw new AppError('conflict');
  const secret = newOpaqueSecret('mw_secret_');
  // For a client that registered itself, the column contains the time at which the registration expires if nobody uses
  // it.
  const expiry = client.kind === 'settings' ? { expires_at: expiresAt ?? null } : {};
  const hasOverlap = overlapHours > 0;
  const { count } = await tx.oAuthClient.updateMany({
    where: { id: client.id, revoked_at: null, secret_hash: client.secret_hash },
    data: {
      secret_hash: new Uint8Array(hashSecret(secret)),
      previous_secret_hash: hasOverlap ? client.secret_hash : null,
      previous_secret_until: hasOverlap ? new Date(Date.now() + overlapHours * 3_600_000) : null,
      ...expiry,
    },
  });
  if (count === 0) throw new AppError('conflict');
  const detail = { overlap_hours: overlapHours, ...byKey(key) };
  await recordDecision(tx, { actor, action: 'oauth_client.rotate', ...auditTarget(client), detail });
  return { ...toRecord({ ...client, ...expiry }), client_secret: secret };
}

/**
 * Revokes the client. All its grants end too, because a grant is valid only while its client is valid. Revoking twice
 * is not an error.
 */
export async function revokeOAuthClient(
  tx: Tx,
  id: string,
  actor: Actor,
  { userId, key }: ClientChanger = {},
): Promise<OAuthClientRecord> {
  const client = await requireClient(tx, id, userId);
  const now = new Date();
  const { count } = await tx.oAuthClient.updateMany({
    where: { id: client.id, revoked_at: null },
    data: { revoked_at: now },
  });
  if (count === 0) return toRecord(await requireClient(tx, id));
  const detail = byKey(key);
  const row = { actor, action: 'oauth_client.revoke', ...auditTarget(client), ...(detail && { detail }) };
  await recordDecision(tx, row);
  return toRecord({ ...client, revoked_at: now });
}

/** Lists OAuth clients of one user, or of all users, newest first. */
export async function listOAuthClients(db: Database, userId?: string): Promise<OAuthClientRecord[]> {
  const rows = await db.prisma.oAuthClient.findMany({
    where: userId === undefined ? {} : { user_id: userId },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toRecord);
}

const ownClients = (userId: string, project: Project) => ({ user_id: userId, project, revoked_at: null });

/** Lists the clients of a user in a project that are not revoked, newest first. */
export async function listOwnClients(db: Database, userId: string, project: Project): Promise<OAuthClientRecord[]> {
  const rows = await db.prisma.oAuthClient.findMany({
    where: ownClients(userId, project),
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: CREDENTIALS_PER_ACCOUNT,
  });
  return rows.map(toRecord);
}

/** Finds a client of a user in a project that is not revoked, by its `client_id`. @throws AppError not_found when there is no such client */
export async function findOwnClient(
  db: Database,
  userId: string,
  project: Project,
  clientId: string,
): Promise<OAuthClientRecord> {
  const where = { client_id: clientId, ...ownClients(userId, project) };
  const row = await db.prisma.oAuthClient.findFirst({ where });
  if (!row) throw new AppError('not_found');
  return toRecord(row);
}

/**
 * Finds a client by its public id (`cli_…`) or by its `client_id`.
 * @throws AppError not_found, also for a client of another user.
 */
export async function requireClient(tx: Tx, id: string, userId?: string) {
  const uuid = decodeId('cli', id);
  const row = await tx.oAuthClient.findUnique({ where: uuid ? { id: uuid } : { client_id: id } });
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('not_found');
  return row;
}

/**
 * Returns the audit detail for an approval that a database trigger has just ended because the name, the redirect URIs,
 * the scopes or the grant types changed.
 */
const endedApproval = (before: { approved_at: Date | null }, after: { approved_at: Date | null }) =>
  before.approved_at !== null && after.approved_at === null ? { approval_ended: true } : {};

/** Returns the resource and the project for the audit rows of a client. */
export const auditTarget = (client: { id: string; project: string | null }) => ({
  resource: encodeId('cli', client.id),
  project: client.project ?? undefined,
});

function toRecord(row: NonNullable<Awaited<ReturnType<Tx['oAuthClient']['findUnique']>>>): OAuthClientRecord {
  return {
    id: encodeId('cli', row.id),
    client_id: row.client_id,
    name: row.name,
    redirect_uris: row.redirect_uris,
    scopes: row.scopes,
    mcp_tools: row.mcp_tools,
    project: row.project,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    approved_at: row.approved_at?.toISOString() ?? null,
  };
}
