import type { Actor } from '@millwright/audit';
import { recordDecision } from '@millwright/audit';
import { changeAccount } from '@millwright/accounts';
import { conflictWhenTaken, newId, type Database, type Tx } from '@millwright/db';
import { rightsOf } from '../sso/group-rights.js';
import type { SsoIssuer } from '../sso/sso-file.js';
import type { Provisioner } from './scim-auth.js';
import { invalid, notFound, ScimError } from './scim-error.js';
import type { ListQuery } from './scim-query.js';

export interface ProvisionedGroup {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
  members: { user_id: string }[];
}

/** What a client wants a group to be. */
export interface WantedGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of accounts. */
  members: readonly string[];
}

/** Limits of an issuer's groups, of the members of one, and of those that one request adds or removes: each may change rights. */
export const MOST_GROUPS = 500;
export const MOST_MEMBERS = 2_000;
export const MOST_CHANGED = 200;

const include = { members: { select: { user_id: true }, orderBy: { user_id: 'asc' } } } as const;

/** The names of the groups that an issuer put the account into. */
export async function groupsOf(tx: Pick<Tx, 'scimMember'>, { url }: SsoIssuer, userId: string): Promise<string[]> {
  const rows = await tx.scimMember.findMany({
    where: { user_id: userId, group: { issuer: url } },
    select: { group: { select: { display_name: true } } },
    take: MOST_GROUPS,
  });
  return rows.map(({ group }) => group.display_name);
}

/** Gives an account the rights of its groups; without a mapped one it is a user, and stays in its project. */
async function applyRights(tx: Tx, issuer: Provisioner, userId: string, actor: Actor): Promise<void> {
  const rights = rightsOf(issuer.groups, await groupsOf(tx, issuer, userId));
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  if (!rights || user.platform_admin) return;
  await changeAccount(tx, userId, rights === 'none' ? { role: 'user' } : rights, actor, ({ platform_admin }) => {
    if (platform_admin) throw new ScimError(403, 'A platform admin is not changed by provisioning.');
  });
}

export function createScimGroupStore(db: Database) {
  async function read(tx: Tx, { url }: Provisioner, id: string): Promise<ProvisionedGroup> {
    const group = await tx.scimGroup.findFirst({ where: { id, issuer: url }, include });
    if (!group) throw notFound();
    return group;
  }

  /** Locks the issuer's groups until the transaction ends: two changes of one user's groups take effect one after the other. */
  async function lock(tx: Tx, { url }: Provisioner): Promise<void> {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`scim ${url}`}, 0))::text`;
  }

  /** @throws ScimError for an account that the issuer does not provision. */
  async function setMembers(tx: Tx, issuer: Provisioner, group: ProvisionedGroup, members: readonly string[]) {
    const wanted = new Set(members);
    if (wanted.size > MOST_MEMBERS) throw invalid(`A group has at most ${MOST_MEMBERS} members.`);
    const present = new Set(group.members.map(({ user_id }) => user_id));
    const added = [...wanted].filter((id) => !present.has(id));
    const removed = [...present].filter((id) => !wanted.has(id));
    if (added.length + removed.length > MOST_CHANGED)
      throw invalid(`A request adds or removes at most ${MOST_CHANGED} members.`);
    const known = await tx.scimUser.count({
      where: { issuer: issuer.url, user_id: { in: added }, user: { deleted_at: null } },
    });
    if (known !== added.length) throw invalid('A member is not a user that this issuer provisions.');
    await tx.scimMember.createMany({ data: added.map((user_id) => ({ group_id: group.id, user_id })) });
    await tx.scimMember.deleteMany({ where: { group_id: group.id, user_id: { in: removed } } });
    return [...added, ...removed].sort();
  }

  async function save(tx: Tx, issuer: Provisioner, group: ProvisionedGroup, wanted: WantedGroup, actor: Actor) {
    const changed = await setMembers(tx, issuer, group, wanted.members);
    const isRenamed = group.display_name !== wanted.displayName;
    await tx.scimGroup.update({
      where: { id: group.id },
      data: { display_name: wanted.displayName, external_id: wanted.externalId, updated_at: new Date() },
    });
    await recordDecision(tx, {
      ...{ actor, action: 'scim_group.update', resource: group.id },
      detail: { issuer: issuer.url, name: wanted.displayName, members_changed: changed.length },
    });
    // Another name may be mapped to other rights.
    if (isRenamed && wanted.members.length > MOST_CHANGED)
      throw invalid(`A group with more than ${MOST_CHANGED} members cannot be renamed.`);
    const affected = isRenamed ? [...new Set([...changed, ...wanted.members])].sort() : changed;
    for (const userId of affected) await applyRights(tx, issuer, userId, actor);
    return read(tx, issuer, group.id);
  }

  return {
    read: (issuer: Provisioner, id: string) => db.transaction((tx) => read(tx, issuer, id)),

    async list({ url }: Provisioner, { filter, startIndex, count }: ListQuery) {
      const attribute = filter?.attribute === 'externalId' ? 'external_id' : 'display_name';
      const where = { issuer: url, ...(filter && { [attribute]: filter.value }) };
      const [total, groups] = await Promise.all([
        db.prisma.scimGroup.count({ where }),
        db.prisma.scimGroup.findMany({ where, include, orderBy: { id: 'asc' }, take: count, skip: startIndex - 1 }),
      ]);
      return { total, groups };
    },

    create: (issuer: Provisioner, wanted: WantedGroup, actor: Actor): Promise<ProvisionedGroup> =>
      db.transaction(async (tx) => {
        await lock(tx, issuer);
        if ((await tx.scimGroup.count({ where: { issuer: issuer.url } })) >= MOST_GROUPS)
          throw invalid(`An issuer has at most ${MOST_GROUPS} groups.`);
        const data = { id: newId(), issuer: issuer.url, display_name: wanted.displayName };
        const group = await tx.scimGroup.create({ data, include }).catch(conflictWhenTaken);
        return save(tx, issuer, group, wanted, actor);
      }),

    change: (
      issuer: Provisioner,
      id: string,
      change: (group: WantedGroup) => WantedGroup,
      actor: Actor,
    ): Promise<ProvisionedGroup> =>
      db.transaction(async (tx) => {
        await lock(tx, issuer);
        const group = await read(tx, issuer, id);
        const { display_name: displayName, external_id: externalId, members } = group;
        const present = { displayName, externalId, members: members.map(({ user_id }) => user_id) };
        return save(tx, issuer, group, change(present), actor).catch(conflictWhenTaken);
      }),

    remove: (issuer: Provisioner, id: string, actor: Actor): Promise<void> =>
      db.transaction(async (tx) => {
        await lock(tx, issuer);
        const group = await read(tx, issuer, id);
        const { display_name: displayName, external_id: externalId } = group;
        await save(tx, issuer, group, { displayName, externalId, members: [] }, actor);
        await tx.scimGroup.delete({ where: { id } });
        await recordDecision(tx, {
          ...{ actor, action: 'scim_group.delete', resource: id },
          detail: { issuer: issuer.url, name: group.display_name },
        });
      }),
  };
}
export type ScimGroupStore = ReturnType<typeof createScimGroupStore>;
