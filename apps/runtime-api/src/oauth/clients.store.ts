import {
  ACCOUNT_COLUMNS,
  hashSecret,
  newClientId,
  newOpaqueSecret,
  noteClientUse,
  worksInItsProject,
  type AccountRow,
  type ClientSecrets,
  type Project,
} from '@millwright/auth';
import { recordDenial, recordStrangerDenial, type Actor } from '@millwright/audit';
import { encodeId, newId, Prisma, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { RequestOrigin } from '@millwright/http/protocol';
import type { ClientKeys } from './client-keys.js';

/** A client as the authorization server stores it. */
export interface Client extends ClientSecrets {
  id: string;
  client_id: string;
  name: string;
  kind: 'settings' | 'registered' | 'document';
  auth_method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** The client's keys or their URL, if the client authenticates by keys. */
  jwks: unknown;
  jwks_uri: string | null;
  redirect_uris: string[];
  scopes: string[];
  grant_types: string[];
  revoked: boolean;
  /**
   * Whether the client, or the registration of a client that was never used, has expired. For a client with a document: whether the
   * document must be read again.
   */
  expired: boolean;
  used_recently: boolean;
  /** Whether the client's owner now works in another project than the client. */
  left_behind: boolean;
  /** The account that created the client in Settings, and the client's project; `null` for a client that registered itself. */
  owner: (AccountRow & { project: Project }) | null;
}

type Row = Omit<Client, 'owner'> & { project: Project | null } & { [Key in keyof AccountRow]: AccountRow[Key] | null };

/** The description that a client gives of itself: in its registration, or in the document at its id. */
export interface SelfDescription {
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  grantTypes: readonly SelfGrantType[];
  authMethod: Client['auth_method'];
  /** The keys of a client that uses `private_key_jwt`. */
  keys?: ClientKeys | undefined;
}

/** The grant type of RFC 8628 §3.4. */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grant types of clients without an owner. `client_credentials` is missing, because it acts on the account of an owner. */
export const SELF_GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_CODE] as const;
export type SelfGrantType = (typeof SELF_GRANT_TYPES)[number];

/** The grant types of a client that names no grant types. */
export const DEFAULT_GRANT_TYPES: readonly SelfGrantType[] = ['authorization_code', 'refresh_token'];

const FIND = `
  SELECT c.id, c.client_id, c.name, c.kind, c.auth_method, c.jwks, c.jwks_uri, c.secret_hash, c.previous_secret_hash,
         c.previous_secret_until, c.redirect_uris, c.scopes, c.grant_types, c.project,
         c.revoked_at IS NOT NULL AS revoked, coalesce(c.expires_at <= now(), false) AS expired,
         coalesce(c.last_used_at > now() - interval '1 minute', false) AS used_recently,
         c.user_id IS NOT NULL AND NOT ${worksInItsProject('c')} AS left_behind, ${ACCOUNT_COLUMNS}
    FROM oauth_clients c LEFT JOIN users u ON u.id = c.user_id WHERE c.client_id = $1`;

function toClient({
  user_id,
  user_name,
  user_email,
  user_role,
  user_delegated_role,
  user_platform_admin,
  user_status,
  project,
  ...row
}: Row): Client {
  // A constraint in the database guarantees that owner and project are set together.
  const account = {
    ...{ user_id, user_name, user_email, user_role, user_delegated_role, user_platform_admin, user_status },
  } as AccountRow;
  return { ...row, owner: project === null ? null : { ...account, project } };
}

/** The actor of a client that acts on its owner's account. */
export function ownerAsActor(owner: AccountRow, origin: RequestOrigin): Actor {
  return { userId: owner.user_id, kind: 'user', label: owner.user_name, ...origin };
}

/** Authentication methods without a shared secret. */
const SECRETLESS: ReadonlySet<string> = new Set(['none', 'private_key_jwt']);

/** Time after which an unused registration expires. */
const UNUSED_MS = 3_600_000;

/** Limit of stored self-registered clients that have no consent. */
const MAX_UNUSED = 10_000;

/** Clients of the authorization server. The only file of the runtime API that reads and writes them. */
export function createClientStore(db: Database) {
  return {
    async find(clientId: string): Promise<Client | undefined> {
      const [row] = await db.prepared<Row>('find-oauth-client', FIND, [clientId]);
      return row && toClient(row);
    },

    /**
     * Stores a client that registers itself (RFC 7591). The client gets a secret if its authentication method needs one.
     * @throws AppError unavailable when too many unused clients are stored
     */
    async register(
      described: SelfDescription,
    ): Promise<{ clientId: string; secret: string | undefined; issuedAt: Date }> {
      if (await isFull(db)) throw new AppError('unavailable', { retryAfter: 60 });
      const secret = SECRETLESS.has(described.authMethod) ? undefined : newOpaqueSecret('mw_secret_');
      const issuedAt = new Date();
      const { client_id: clientId } = await db.prisma.oAuthClient.create({
        data: {
          ...columns(described),
          id: newId(),
          client_id: newClientId(),
          kind: 'registered',
          secret_hash: secret === undefined ? null : new Uint8Array(hashSecret(secret)),
          created_at: issuedAt,
          expires_at: new Date(issuedAt.getTime() + UNUSED_MS),
        },
      });
      return { clientId, secret, issuedAt };
    },

    /** Stores a client's document until its expiry. `false` when too many documents are stored. */
    async keepDocument(clientId: string, described: SelfDescription, until: Date): Promise<boolean> {
      const data = { ...columns(described), expires_at: until };
      const isKnown = (await db.prisma.oAuthClient.count({ where: { client_id: clientId } })) > 0;
      if (!isKnown && (await isFull(db))) return false;
      await db.prisma.oAuthClient.upsert({
        where: { client_id: clientId },
        create: { ...data, id: newId(), client_id: clientId, kind: 'document' },
        update: data,
      });
      return true;
    },

    /** Stores the time at which an authenticated client was used, at most once a minute. */
    noteUse(client: Client): void {
      if (!client.used_recently) noteClientUse(db, client.id);
    },

    /** Audits the refusal of an authenticated client from Settings. */
    async recordRefusal({ id, owner }: Client, origin: RequestOrigin, reason: string): Promise<void> {
      if (owner) await recordDenial(db, refusalOf(id, owner, origin), reason);
    },

    /** Audits a request with a wrong secret or assertion of a client from Settings. */
    async recordWrongSecret({ id, owner }: Client, origin: RequestOrigin): Promise<void> {
      if (owner) await recordStrangerDenial(db, refusalOf(id, owner, origin), 'wrong client secret');
    },
  };
}
const refusalOf = (id: string, owner: AccountRow & { project: Project }, origin: RequestOrigin) => ({
  actor: ownerAsActor(owner, origin),
  action: 'oauth_token.issue',
  resource: encodeId('cli', id),
  project: owner.project,
});
export type ClientStore = ReturnType<typeof createClientStore>;

async function isFull(db: Database): Promise<boolean> {
  const [row] = await db.prisma.$queryRaw<{ unused: bigint }[]>`
    SELECT count(*) AS unused FROM (
      SELECT FROM oauth_clients c
       WHERE (c.kind = 'document' OR c.kind = 'registered' AND c.expires_at > now())
         AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.id)
       LIMIT ${MAX_UNUSED}) found`;
  return Number(row?.unused) >= MAX_UNUSED;
}

function columns({ name, redirectUris, scopes, grantTypes, authMethod, keys }: SelfDescription) {
  return {
    name,
    redirect_uris: [...redirectUris],
    scopes: [...scopes],
    grant_types: [...grantTypes],
    auth_method: authMethod,
    jwks: keys?.jwks ?? Prisma.DbNull,
    jwks_uri: keys?.jwks_uri ?? null,
  };
}
