import { recordDecision, type Actor } from '@millwright/audit';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { Project } from './principal.js';
import { isGrantableScope } from './scopes.js';
import { hashSecret, newClientId, newOpaqueSecret } from './secrets.js';

export interface NewOAuthClient {
  userId: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  project: Project;
}

export interface OAuthClientRecord {
  id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  /** Null for clients that came by themselves. */
  project: string | null;
  created_at: string;
  revoked_at: string | null;
}

/** `client_secret` is in this answer once and nowhere else. */
export type IssuedOAuthClient = OAuthClientRecord & { client_secret: string };

/** A confidential client of area C's authorization server. @throws AppError validation_error naming the field. */
export async function issueOAuthClient(tx: Tx, input: NewOAuthClient, actor: Actor): Promise<IssuedOAuthClient> {
  const unknown = input.scopes.find((scope) => !isGrantableScope(scope));
  if (unknown !== undefined) throw invalidField('scopes', `"${unknown}" is not a scope`);
  if (input.scopes.length === 0) throw invalidField('scopes', 'must name at least one scope');
  if (input.name.trim() === '' || input.name.length > 200) throw invalidField('name', 'must be 1 to 200 characters');
  const bad = input.redirectUris.find((uri) => !isRedirectUri(uri));
  if (bad !== undefined)
    throw invalidField('redirect_uris', `"${bad}" is not an https or loopback http URL without fragment`);
  const secret = newOpaqueSecret('mw_secret_');
  const row = await tx.oAuthClient.create({
    data: {
      id: newId(),
      client_id: newClientId(),
      name: input.name,
      user_id: input.userId,
      project: input.project,
      secret_hash: new Uint8Array(hashSecret(secret)),
      redirect_uris: [...input.redirectUris],
      scopes: [...input.scopes],
    },
  });
  const record = toRecord(row);
  const detail = { name: input.name, scopes: [...input.scopes], redirect_uris: [...input.redirectUris] };
  await recordDecision(tx, {
    actor,
    action: 'oauth_client.create',
    resource: record.id,
    project: input.project,
    detail,
  });
  return { ...record, client_secret: secret };
}

/** Ends the client and every grant it holds. Revoking twice is no error. */
export async function revokeOAuthClient(tx: Tx, id: string, actor: Actor): Promise<OAuthClientRecord> {
  const uuid = decodeId('cli', id);
  const client = uuid && (await tx.oAuthClient.findUnique({ where: { id: uuid } }));
  if (!client) throw new AppError('not_found');
  if (client.revoked_at) return toRecord(client);
  const now = new Date();
  const revoked = await tx.oAuthClient.update({ where: { id: client.id }, data: { revoked_at: now } });
  await tx.oAuthGrant.updateMany({ where: { client_id: client.id, revoked_at: null }, data: { revoked_at: now } });
  await recordDecision(tx, {
    actor,
    action: 'oauth_client.revoke',
    resource: id,
    project: client.project ?? undefined,
  });
  return toRecord(revoked);
}

/** Newest first. */
export async function listOAuthClients(db: Database): Promise<OAuthClientRecord[]> {
  const rows = await db.prisma.oAuthClient.findMany({ orderBy: [{ created_at: 'desc' }, { id: 'desc' }] });
  return rows.map(toRecord);
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
    project: row.project,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
