import { lockAccount } from '@millwright/accounts';
import {
  effectiveScopes,
  hashSecret,
  isAdminScope,
  isOneTimeToken,
  newOneTimeToken,
  type Project,
  type Role,
} from '@millwright/auth';
import { hashUserCode } from '@millwright/auth/user-codes';
import { recordDecision, type Actor } from '@millwright/audit';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import type { Consent } from './consent.contract.js';

/** The user who decides, with the current data of the account. */
export interface Decider {
  userId: string;
  project: Project;
  roles: readonly Role[];
  actor: Actor;
  /** Time of the user's sign-in or last passkey proof; 1970 when the time is unknown. */
  provenAt: Date;
}

/** An open authorization request. */
export interface AskedConsent {
  id: string;
  clientUuid: string;
  clientId: string;
  clientName: string;
  kind: 'settings' | 'registered' | 'document';
  /** The client's project; `null` for a self-registered client, which gets the user's project. */
  project: Project | null;
  /** The user who created the client; `null` for a self-registered client. */
  maker: ClientMaker | null;
  /** Whether an admin has approved the client in its current form. */
  isApproved: boolean;
  redirectUri: string;
  /** Whether the redirect URI is on the user's own machine, where any program could receive the answer. */
  isLocal: boolean;
  /** Whether the answer is for a program on another device, which polls for it (RFC 8628). */
  isDevice: boolean;
  scopes: string[];
  /** Conditions that the client sets for the sign-in (OpenID Connect Core 1.0 §3.1.2.1). */
  prompt: string[];
  maxAge: number | null;
  createdAt: Date;
}

export interface ClientMaker {
  id: string;
  name: string;
  email: string;
  /** Whether an admin created the client in person, not with an API key. Such a client counts as verified. */
  isVouching: boolean;
}

type AskedRow = Omit<AskedConsent, 'isLocal' | 'isDevice'>;

const ASKED = `
  SELECT a.id, c.id AS "clientUuid", c.client_id AS "clientId", c.name AS "clientName", c.kind, c.project,
         a.redirect_uri AS "redirectUri", a.scopes, a.prompt, a.max_age AS "maxAge", a.created_at AS "createdAt",
         c.approved_at IS NOT NULL AS "isApproved",
         CASE WHEN u.id IS NOT NULL THEN
           json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'isVouching', u.role = 'admin' AND NOT c.made_by_key) END AS maker
    FROM oauth_authorizations a JOIN oauth_clients c ON c.id = a.client_id LEFT JOIN users u ON u.id = c.user_id
   WHERE a.request_hash = $1 AND a.decided_at IS NULL AND a.refusal IS NULL AND a.expires_at > now() AND c.revoked_at IS NULL`;

/** Creates functions for the consents of users to applications. In admin-auth, only this file reads and writes authorization requests. */
export function createConsentStore(db: Database) {
  return {
    async findAsked(request: string): Promise<AskedConsent | undefined> {
      if (!isOneTimeToken(request)) return undefined;
      const [row] = await db.prepared<AskedRow>('asked-consent', ASKED, [hashSecret(request)]);
      const isDevice = row?.redirectUri === '';
      return row && { ...row, isDevice, isLocal: !isDevice && !row.redirectUri.startsWith('https:') };
    },

    /** Consumes a device's user code. Returns the `request` parameter of its consent page, or `undefined` for an unknown or used code. */
    async takeUserCode(userCode: string): Promise<string | undefined> {
      const hash = hashUserCode(userCode);
      if (!hash) return undefined;
      const request = newOneTimeToken();
      const { count } = await db.prisma.oAuthAuthorization.updateMany({
        where: {
          request_hash: new Uint8Array(hash),
          redirect_uri: '',
          decided_at: null,
          expires_at: { gt: new Date() },
        },
        data: { request_hash: new Uint8Array(hashSecret(request)) },
      });
      return count === 1 ? request : undefined;
    },

    /**
     * Whether the page can be skipped: the user has consented to all of these scopes before, and the client does not require
     * the page. Consents are never remembered for administrator scopes, nor for an unverified or self-registered client on the
     * user's own machine, because any program could pose as that client.
     */
    async isRemembered({ userId }: Decider, asked: AskedConsent, scopes: readonly string[]): Promise<boolean> {
      if (asked.isDevice || asked.prompt.some((value) => value === 'consent' || value === 'select_account'))
        return false;
      if (scopes.some(isAdminScope) || (asked.isLocal && (asked.maker === null || !isVerified(asked, userId))))
        return false;
      const consent = await db.prisma.oAuthConsent.findUnique({
        where: { user_id_client_id: { user_id: userId, client_id: asked.clientUuid } },
      });
      return consent?.revoked_at === null && scopes.every((scope) => consent.scopes.includes(scope));
    },

    /**
     * Ends a `prompt=none` request without a decision. @returns a ticket, so that only the browser that began the request can
     * finish it; `undefined` for a request that was decided or has expired
     */
    async refuse({ id }: AskedConsent, refusal: Refusal): Promise<string | undefined> {
      const ticket = newOneTimeToken();
      const { count } = await db.prisma.oAuthAuthorization.updateMany({
        where: { id, decided_at: null, refusal: null, expires_at: { gt: new Date() } },
        data: { refusal, ticket_hash: new Uint8Array(hashSecret(ticket)) },
      });
      return count === 1 ? ticket : undefined;
    },

    async list(userId: string): Promise<Consent[]> {
      const rows = await db.prisma.oAuthConsent.findMany({
        where: { user_id: userId, revoked_at: null },
        include: { client: true },
        orderBy: [{ granted_at: 'desc' }, { id: 'desc' }],
      });
      return rows.map(({ id, client, scopes, granted_at }) => ({
        id: encodeId('con', id),
        client_name: client.name,
        client_id: client.client_id,
        client_host: client.kind === 'document' ? new URL(client.client_id).host : null,
        scopes,
        granted_at: granted_at.toISOString(),
      }));
    },
  };
}
export type ConsentStore = ReturnType<typeof createConsentStore>;

/** The reason why a `prompt=none` request fails (OpenID Connect Core 1.0 §3.1.2.6). */
export type Refusal = 'login_required' | 'consent_required' | 'access_denied';

/** Whether the user signed in as recently as the client requires. A proof after the client's request is always recent enough. */
export function isRecent(
  { prompt, maxAge, createdAt }: Pick<AskedConsent, 'prompt' | 'maxAge' | 'createdAt'>,
  { provenAt }: Pick<Decider, 'provenAt'>,
  now = Date.now(),
): boolean {
  if (provenAt > createdAt) return true;
  return !prompt.includes('login') && (maxAge === null || provenAt.getTime() >= now - maxAge * 1_000);
}

/**
 * Whether a client counts as verified: its creator is the deciding user or an admin who used no API key, or an admin has approved the
 * client.
 */
export function isVerified({ maker, isApproved }: Pick<AskedConsent, 'maker' | 'isApproved'>, userId: string): boolean {
  return isApproved || (maker !== null && (maker.id === userId || maker.isVouching));
}

/** Returns the requested scopes that this user may grant. For a client of another project, only an admin may grant scopes. */
export function grantableScopes({ roles, project }: Pick<Decider, 'roles' | 'project'>, asked: AskedConsent): string[] {
  if (asked.project !== null && asked.project !== project && !roles.includes('admin')) return [];
  const allowed = effectiveScopes(asked.scopes, roles);
  return [...allowed].filter((scope) => asked.scopes.includes(scope));
}

/**
 * Decides an open request; without scopes, the request is denied. Only the first of several decisions succeeds. Returns the ticket that is
 * required to finish the request, so that only the browser of the deciding user can finish it. Returns `undefined` for a decided or expired
 * request.
 */
export async function decide(
  tx: Tx,
  { userId, actor, project, provenAt }: Decider,
  asked: AskedConsent,
  scopes: readonly string[],
): Promise<string | undefined> {
  const ticket = newOneTimeToken();
  const { count } = await tx.oAuthAuthorization.updateMany({
    where: { id: asked.id, decided_at: null, refusal: null, expires_at: { gt: new Date() } },
    data: {
      user_id: userId,
      auth_time: provenAt.getTime() > 0 ? provenAt : null,
      granted: [...scopes],
      ticket_hash: new Uint8Array(hashSecret(ticket)),
      decided_at: new Date(),
    },
  });
  if (count === 0) return undefined;
  if (scopes.length > 0) await remember(tx, userId, asked.clientUuid, scopes);
  await recordDecision(tx, {
    actor,
    action: scopes.length > 0 ? 'oauth_consent.approve' : 'oauth_consent.deny',
    resource: encodeId('cli', asked.clientUuid),
    project: asked.project ?? project,
    detail: { client: asked.clientName, redirect_uri: asked.redirectUri, scopes: [...scopes] },
  });
  return ticket;
}

async function remember(tx: Tx, user_id: string, client_id: string, scopes: readonly string[]): Promise<void> {
  const where = { user_id_client_id: { user_id, client_id } };
  const before = await tx.oAuthConsent.findUnique({ where });
  const known = before?.revoked_at === null ? before.scopes : [];
  const data = { scopes: [...new Set([...known, ...scopes])], granted_at: new Date(), revoked_at: null };
  await tx.oAuthConsent.upsert({ where, create: { ...data, id: newId(), user_id, client_id }, update: data });
}

/** Removes a consent and ends its grants. Returns `false` when the user has no such consent. */
export async function revokeConsent(tx: Tx, userId: string, consentId: string, actor: Actor): Promise<boolean> {
  const id = decodeId('con', consentId);
  const consent = id && (await tx.oAuthConsent.findFirst({ where: { id, user_id: userId, revoked_at: null } }));
  if (!consent) return false;
  // Waits for a concurrent code redemption, so that the grant of that redemption is ended too.
  await lockAccount(tx, userId, () => undefined);
  const revoked_at = new Date();
  await tx.oAuthConsent.update({ where: { id: consent.id }, data: { revoked_at } });
  const { count } = await tx.oAuthGrant.updateMany({
    where: { user_id: userId, client_id: consent.client_id, kind: 'authorization_code', revoked_at: null },
    data: { revoked_at },
  });
  // A code that was not exchanged yet has no grant, so the code itself is made to expire now.
  await tx.oAuthAuthorization.updateMany({
    where: { user_id: userId, client_id: consent.client_id, expires_at: { gt: revoked_at } },
    data: { expires_at: revoked_at },
  });
  const resource = encodeId('cli', consent.client_id);
  const detail = { grants: count, user: encodeId('usr', userId) };
  await recordDecision(tx, { actor, action: 'oauth_consent.revoke', resource, detail });
  return true;
}
