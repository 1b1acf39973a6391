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
import { recordDenial, type Actor } from '@millwright/audit';
import { encodeId, newId, type Database } from '@millwright/db';

/** A client as the authorization server knows it. */
export interface Client extends ClientSecrets {
  id: string;
  client_id: string;
  name: string;
  kind: 'settings' | 'registered' | 'document';
  auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  redirect_uris: string[];
  scopes: string[];
  revoked: boolean;
  /** A registration that was never used, or a document that has to be read again. */
  expired: boolean;
  /** Its owner belongs to another project by now. */
  left_behind: boolean;
  /** Who made it, and for which project: clients that came by themselves have neither. */
  owner: (AccountRow & { project: Project }) | null;
}

type Row = Omit<Client, 'owner'> & { project: Project | null } & { [Key in keyof AccountRow]: AccountRow[Key] | null };

/** Where a request came from, for the trail. */
export interface Origin {
  requestId: string;
  ip: string;
}

/** What a client says of itself when it registers, or at the URL that is its id. */
export interface SelfDescription {
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
}

const FIND = `
  SELECT c.id, c.client_id, c.name, c.kind, c.auth_method, c.secret_hash, c.previous_secret_hash,
         c.previous_secret_until, c.redirect_uris, c.scopes, c.project,
         c.revoked_at IS NOT NULL AS revoked, coalesce(c.expires_at <= now(), false) AS expired,
         c.user_id IS NOT NULL AND NOT ${worksInItsProject('c')} AS left_behind, ${ACCOUNT_COLUMNS}
    FROM oauth_clients c LEFT JOIN users u ON u.id = c.user_id WHERE c.client_id = $1`;

function toClient({
  user_id,
  user_name,
  user_email,
  user_role,
  user_platform_admin,
  user_status,
  project,
  ...row
}: Row): Client {
  // The database holds that owner and project come together.
  const account = { user_id, user_name, user_email, user_role, user_platform_admin, user_status } as AccountRow;
  return { ...row, owner: project === null ? null : { ...account, project } };
}

/** Who acts when a client acts on its owner's account. */
export function ownerAsActor(owner: AccountRow, origin: Origin): Actor {
  return { userId: owner.user_id, kind: 'user', label: owner.user_name, ...origin };
}

/** A registration that nobody used is forgotten after this. */
const UNUSED_HOURS = 24;

/** The only file that reads and writes clients for area C. */
export function createClientStore(db: Database) {
  return {
    async find(clientId: string): Promise<Client | undefined> {
      const [row] = await db.prepared<Row>('find-oauth-client', FIND, [clientId]);
      return row && toClient(row);
    },

    /** A client that registered itself (RFC 7591), with a secret unless it is public. */
    async register(
      described: SelfDescription,
      authMethod: Client['auth_method'],
    ): Promise<{ clientId: string; secret: string | undefined; issuedAt: Date }> {
      const secret = authMethod === 'none' ? undefined : newOpaqueSecret('mw_secret_');
      const issuedAt = new Date();
      const { client_id: clientId } = await db.prisma.oAuthClient.create({
        data: {
          ...columns(described),
          id: newId(),
          client_id: newClientId(),
          kind: 'registered',
          auth_method: authMethod,
          secret_hash: secret === undefined ? null : new Uint8Array(hashSecret(secret)),
          created_at: issuedAt,
          expires_at: new Date(issuedAt.getTime() + UNUSED_HOURS * 3_600_000),
        },
      });
      return { clientId, secret, issuedAt };
    },

    /** What the document at a client's URL says, believed until then. */
    async keepDocument(clientId: string, described: SelfDescription, until: Date): Promise<void> {
      const data = { ...columns(described), expires_at: until };
      await db.prisma.oAuthClient.upsert({
        where: { client_id: clientId },
        create: { ...data, id: newId(), client_id: clientId, kind: 'document', auth_method: 'none' },
        update: data,
      });
    },

    /** A client that proved itself was used. */
    noteUse: (client: Client): void => noteClientUse(db, client.id),

    /** Keeps the attempt of a client that proved itself and is refused all the same. */
    async recordRefusal(client: Client, origin: Origin, reason: string): Promise<void> {
      if (!client.owner) return;
      const entry = {
        actor: ownerAsActor(client.owner, origin),
        action: 'oauth_token.issue',
        resource: encodeId('cli', client.id),
        project: client.owner.project,
      };
      await recordDenial(db, entry, reason);
    },
  };
}
export type ClientStore = ReturnType<typeof createClientStore>;

function columns({ name, redirectUris, scopes }: SelfDescription) {
  return { name, redirect_uris: [...redirectUris], scopes: [...scopes] };
}
