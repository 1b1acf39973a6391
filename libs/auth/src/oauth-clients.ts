import { recordDecision, type Actor } from '@millwright/audit';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { ROTATION_OVERLAP_HOURS, type Rotation } from './api-keys.js';
import type { Project } from './principal.js';
import { isGrantableScope } from './scopes.js';
import { hashSecret, newClientId, newOpaqueSecret, secretMatches } from './secrets.js';
import { EVERY_TOOL, isToolEntry, MOST_TOOL_ENTRIES, type ToolList } from './tool-lists.js';

export interface NewOAuthClient {
  userId: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  project: Project;
  /** Default: every tool. */
  mcpTools?: ToolList | undefined;
}

export interface OAuthClientRecord {
  id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  mcp_tools: string[];
  /** Null for clients that came by themselves. */
  project: string | null;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** `client_secret` is in this answer once and nowhere else. */
export type IssuedOAuthClient = OAuthClientRecord & { client_secret: string };

/** A confidential client of area C's authorization server. @throws AppError validation_error naming the field. */
export async function issueOAuthClient(tx: Tx, input: NewOAuthClient, actor: Actor): Promise<IssuedOAuthClient> {
  const unknown = input.scopes.find((scope) => !isGrantableScope(scope));
  if (unknown !== undefined) throw invalidField('scopes', `"${unknown}" is not a scope`);
  if (input.scopes.length === 0) throw invalidField('scopes', 'must name at least one scope');
  requireNaming(input);
  const mcp_tools = [...(input.mcpTools ?? EVERY_TOOL)];
  requireToolEntries(mcp_tools);
  const secret = newOpaqueSecret('mw_secret_');
  const row = await tx.oAuthClient.create({
    data: {
      id: newId(),
      client_id: newClientId(),
      name: input.name.trim(),
      user_id: input.userId,
      project: input.project,
      secret_hash: new Uint8Array(hashSecret(secret)),
      redirect_uris: [...input.redirectUris],
      scopes: [...input.scopes],
      mcp_tools,
    },
  });
  const record = toRecord(row);
  const detail = { name: record.name, scopes: [...input.scopes], mcp_tools, redirect_uris: [...input.redirectUris] };
  await recordDecision(tx, {
    actor,
    action: 'oauth_client.create',
    resource: record.id,
    project: input.project,
    detail,
  });
  return { ...record, client_secret: secret };
}

/** @throws AppError not_found, conflict for a revoked client, validation_error naming the field. */
export async function updateOAuthClient(
  tx: Tx,
  id: string,
  changes: Partial<Pick<NewOAuthClient, 'name' | 'redirectUris' | 'mcpTools'>>,
  actor: Actor,
  userId?: string,
): Promise<OAuthClientRecord> {
  const client = await requireClient(tx, id, userId);
  if (client.revoked_at) throw new AppError('conflict');
  const { name = client.name, redirectUris = client.redirect_uris, mcpTools = client.mcp_tools } = changes;
  requireNaming({ name, redirectUris });
  requireToolEntries(mcpTools);
  const detail = { name: name.trim(), redirect_uris: [...redirectUris], mcp_tools: [...mcpTools] };
  const updated = await tx.oAuthClient.update({ where: { id: client.id }, data: detail });
  await recordDecision(tx, { actor, action: 'oauth_client.update', ...whatOf(client), detail });
  return toRecord(updated);
}

/**
 * A new secret; the one before works on for the overlap, and any before that ends.
 *
 * @throws AppError not_found, conflict for a client that is revoked, is public or was rotated by someone else meanwhile.
 */
export async function rotateOAuthClient(
  tx: Tx,
  id: string,
  actor: Actor,
  { userId, overlapHours = ROTATION_OVERLAP_HOURS }: Rotation = {},
): Promise<IssuedOAuthClient> {
  const client = await requireClient(tx, id, userId);
  if (client.revoked_at || !client.secret_hash) throw new AppError('conflict');
  const secret = newOpaqueSecret('mw_secret_');
  const hasOverlap = overlapHours > 0;
  const { count } = await tx.oAuthClient.updateMany({
    where: { id: client.id, revoked_at: null, secret_hash: client.secret_hash },
    data: {
      secret_hash: new Uint8Array(hashSecret(secret)),
      previous_secret_hash: hasOverlap ? client.secret_hash : null,
      previous_secret_until: hasOverlap ? new Date(Date.now() + overlapHours * 3_600_000) : null,
    },
  });
  if (count === 0) throw new AppError('conflict');
  const detail = { overlap_hours: overlapHours };
  await recordDecision(tx, { actor, action: 'oauth_client.rotate', ...whatOf(client), detail });
  return { ...toRecord(client), client_secret: secret };
}

/** Ends the client and every grant it holds. Revoking twice is no error. */
export async function revokeOAuthClient(tx: Tx, id: string, actor: Actor, userId?: string): Promise<OAuthClientRecord> {
  const client = await requireClient(tx, id, userId);
  const now = new Date();
  const { count } = await tx.oAuthClient.updateMany({
    where: { id: client.id, revoked_at: null },
    data: { revoked_at: now },
  });
  if (count === 0) return toRecord(await requireClient(tx, id));
  await tx.oAuthGrant.updateMany({ where: { client_id: client.id, revoked_at: null }, data: { revoked_at: now } });
  await recordDecision(tx, { actor, action: 'oauth_client.revoke', ...whatOf(client) });
  return toRecord({ ...client, revoked_at: now });
}

/** Newest first. */
export async function listOAuthClients(db: Database, userId?: string): Promise<OAuthClientRecord[]> {
  const rows = await db.prisma.oAuthClient.findMany({
    where: userId === undefined ? {} : { user_id: userId },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toRecord);
}

/** By `cli_…` or by its `client_id`. Someone else's is not there. */
async function requireClient(tx: Tx, id: string, userId?: string) {
  const uuid = decodeId('cli', id);
  const row = await tx.oAuthClient.findUnique({ where: uuid ? { id: uuid } : { client_id: id } });
  if (!row || (userId !== undefined && row.user_id !== userId)) throw new AppError('not_found');
  return row;
}

/** A client as the trail names it. */
const whatOf = (client: { id: string; project: string | null }) => ({
  resource: encodeId('cli', client.id),
  project: client.project ?? undefined,
});

/** The columns that {@link clientSecretMatches} needs. */
export interface ClientSecrets {
  secret_hash: Uint8Array | null;
  previous_secret_hash: Uint8Array | null;
  previous_secret_until: Date | null;
}

/** Whether it is the client's secret, or the one before within its overlap. Never for public clients. */
export function clientSecretMatches(secret: string, client: ClientSecrets, now = Date.now()): boolean {
  const { secret_hash, previous_secret_hash: previous, previous_secret_until: until } = client;
  if (!secret_hash) return false;
  if (secretMatches(secret, secret_hash)) return true;
  return previous !== null && until !== null && until.getTime() > now && secretMatches(secret, previous);
}

/** Notes a use, at most once a minute. Off the request's path; a lost note is made good by the next request. */
export function noteClientUse(db: Database, id: string): void {
  db.prepared(
    'note-oauth-client-use',
    `UPDATE oauth_clients SET last_used_at = now()
      WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [id],
  ).catch(() => undefined);
}

function requireNaming({ name, redirectUris }: Pick<NewOAuthClient, 'name' | 'redirectUris'>): void {
  if (name.trim() === '' || name.length > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const bad = redirectUris.find((uri) => !isRedirectUri(uri));
  if (bad !== undefined)
    throw invalidField('redirect_uris', `"${bad}" is not an https or loopback http URL without fragment`);
}

function requireToolEntries(entries: ToolList): void {
  if (entries.length > MOST_TOOL_ENTRIES) throw invalidField('mcp_tools', `must have at most ${MOST_TOOL_ENTRIES}`);
  const bad = entries.find((entry) => !isToolEntry(entry));
  if (bad !== undefined) throw invalidField('mcp_tools', `"${bad}" is not "*", "server/*" or "server/tool"`);
}

/**
 * https anywhere, http on loopback only; no fragment, no user (RFC 6749 §3.1.2, RFC 8252 §7.3). Blanks, control characters and
 * backslashes, which URL parsers repair each in its own way, are refused: URIs are compared as texts.
 */
function isRedirectUri(text: string): boolean {
  if (text.length > 2_000 || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return false;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return false;
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback);
}

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
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
