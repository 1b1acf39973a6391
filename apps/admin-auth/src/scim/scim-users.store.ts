import type { Actor } from '@millwright/audit';
import {
  changeAccount,
  createUser,
  deactivateUser,
  disableUser,
  enableUser,
  requireKeptAddress,
  revokeUser,
  type UserRow,
} from '@millwright/accounts';
import { recordDecision } from '@millwright/audit';
import type { Project } from '@millwright/auth';
import { decodeId, encodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { domainOf } from '../sso/domain-capture.js';
import type { Provisioner } from './scim-auth.js';
import { invalid, notFound, platformAdminKept } from './scim-error.js';
import type { ListQuery } from './scim-query.js';
import type { ProvisionedUser, WantedUser } from './scim-users.js';

const COLUMNS = `u.id, u.email, u.name, u.status, p.external_id, u.created_at, u.updated_at, u.version`;

function guard(user: UserRow): void {
  if (user.platform_admin) throw platformAdminKept();
}

function requireDomain({ domains }: Provisioner, email: string): void {
  if (!domains.includes(domainOf(email)))
    throw invalid('userName', 'must be an email address of a domain of this issuer');
}

const taken = () =>
  new AppError('conflict', {
    fields: [{ field: 'userName', reason: 'belongs to an account that this issuer may not take over' }],
  });

/** SQL condition of each filter attribute. The compared values are texts. */
const CONDITIONS: Readonly<Record<string, (place: string) => string>> = {
  id: (place) => `u.id = ${place}::uuid`,
  userName: (place) => `u.email = ${place}`,
  'emails.value': (place) => `u.email = ${place}`,
  externalId: (place) => `p.external_id = ${place}`,
};
export const USER_FILTERS = Object.keys(CONDITIONS);

export function createScimUserStore(db: Database, defaultProject: Project) {
  async function read(tx: Tx, { url }: Provisioner, id: string): Promise<ProvisionedUser> {
    const row = await tx.scimUser.findUnique({
      where: { issuer_user_id: { issuer: url, user_id: id } },
      select: { external_id: true, user: true },
    });
    // The client has deleted this account, so it must get 404, although the row still exists.
    if (!row || row.user.deleted_at) throw notFound();
    return { ...row.user, external_id: row.external_id };
  }

  /** Changes the account to the requested state. */
  async function apply(tx: Tx, issuer: Provisioner, id: string, wanted: WantedUser, actor: Actor) {
    const { url } = issuer;
    const { email, name, externalId, isActive } = wanted;
    const before = await read(tx, issuer, id);
    const isMoved = before.email.toLowerCase() !== email.toLowerCase();
    if (isMoved) requireDomain(issuer, email);
    await changeAccount(tx, id, { email, ...(name !== undefined && { name }) }, actor, (user) => {
      guard(user);
      if (isMoved) requireKeptAddress(user, { email });
    });
    if (!isActive) await disableUser(tx, id, actor, guard, 'deactivated by the identity provider');
    else if (before.status !== 'active') await enableUser(tx, id, actor, guard);
    if (before.external_id !== externalId)
      await tx.scimUser.update({
        where: { issuer_user_id: { issuer: url, user_id: id } },
        data: { external_id: externalId },
      });
    return read(tx, issuer, id);
  }

  return {
    find: (issuer: Provisioner, id: string) => db.transaction((tx) => read(tx, issuer, id)),

    async list({ url }: Provisioner, { filter, startIndex, count }: ListQuery) {
      const attributes = [...filter.keys()].sort();
      const given = attributes.map((name) => filter.get(name) ?? '');
      const values = given.map((value, n) => (attributes[n] === 'id' ? decodeId('usr', value) : value));
      if (values.includes(undefined)) return { total: 0, users: [] };
      const conditions = attributes.map((name, n) => ` AND ${CONDITIONS[name]?.(`$${n + 2}`) ?? 'false'}`).join('');
      const name = attributes.join('-') || 'all';
      const from = `FROM scim_users p JOIN users u ON u.id = p.user_id
        WHERE p.issuer = $1 AND u.deleted_at IS NULL${conditions}`;
      const page = `LIMIT $${values.length + 2} OFFSET $${values.length + 3}`;
      const [[total], users] = await Promise.all([
        db.prepared<{ n: number }>(`count-scim-users-${name}`, `SELECT count(*)::int AS n ${from}`, [url, ...values]),
        db.prepared<ProvisionedUser>(
          `list-scim-users-${name}`,
          `SELECT ${COLUMNS} ${from} ORDER BY p.user_id ${page}`,
          [url, ...values, count, startIndex - 1],
        ),
      ]);
      return { total: total?.n ?? 0, users };
    },

    /**
     * Creates an account. If the issuer may link accounts by email, an existing account with the email address is linked instead, because
     * the client's addresses count as verified.
     *
     * @throws ScimError uniqueness when an account with the address exists and the issuer may not link it or already provisions it.
     */
    async create(tx: Tx, issuer: Provisioner, wanted: WantedUser, actor: Actor): Promise<ProvisionedUser> {
      const { email, externalId, name = email } = wanted;
      requireDomain(issuer, email);
      const known = await tx.user.findUnique({ where: { email } });
      if (known && (!issuer.linkByVerifiedEmail || known.platform_admin || known.deleted_at)) throw taken();
      if (!known)
        await createUser(tx, { email, name, role: 'user', project: defaultProject, platformAdmin: false }, actor);
      const user = known ?? (await tx.user.findUniqueOrThrow({ where: { email } }));
      const key = { issuer: issuer.url, user_id: user.id };
      if (await tx.scimUser.findUnique({ where: { issuer_user_id: key } })) throw taken();
      // Anyone can register an unproved address: a stranger who registered it must not get the rights of the address's owner.
      if (known?.self_registered)
        await revokeUser(tx, user.id, actor, guard, { reason: 'linked to the owner of the address', passkeys: true });
      await tx.scimUser.create({ data: { ...key, external_id: externalId } });
      await recordDecision(tx, {
        ...{ actor, action: 'scim_user.create', resource: encodeId('usr', user.id), project: user.project },
        detail: { issuer: issuer.url, by: known ? 'email' : 'new account' },
      });
      return apply(tx, issuer, user.id, wanted, actor);
    },

    async change(
      tx: Tx,
      issuer: Provisioner,
      id: string,
      change: (user: WantedUser) => WantedUser,
      actor: Actor,
    ): Promise<ProvisionedUser> {
      const { email, name, external_id: externalId, status } = await read(tx, issuer, id);
      return apply(tx, issuer, id, change({ email, name, externalId, isActive: status === 'active' }), actor);
    },

    /** Deactivates the account permanently. */
    async remove(tx: Tx, issuer: Provisioner, id: string, actor: Actor): Promise<void> {
      await read(tx, issuer, id);
      await deactivateUser(tx, id, actor, guard);
    },
  };
}
export type ScimUserStore = ReturnType<typeof createScimUserStore>;
