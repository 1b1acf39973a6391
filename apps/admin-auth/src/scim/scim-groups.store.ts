import type { Actor } from '@millwright/audit';
import { recordDecision } from '@millwright/audit';
import { changeAccount } from '@millwright/accounts';
import { ADVISORY_LOCKS, conflictWhenTaken, decodeId, newId, type Database, type Tx } from '@millwright/db';
import { rightsOf } from '../sso/group-rights.js';
import { groupsOf, MOST_GROUPS } from '../sso/issuer-groups.js';
import type { Provisioner } from './scim-auth.js';
import { invalid, notFound, platformAdminKept } from './scim-error.js';
import type { Filter, ListQuery } from './scim-query.js';
import { z } from 'zod';

export interface ProvisionedGroup {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
  members: { user_id: string }[];
}

/** The state of a group that a client requests. */
export interface WantedGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of accounts. */
  members: readonly string[];
}

/** Limits of the members of a group, and of the members that one request changes, because each change may affect rights. */
export const MOST_MEMBERS = 2_000;
export const MOST_CHANGED = 200;

const include = { members: { select: { user_id: true }, orderBy: { user_id: 'asc' } } } as const;

/** Gives an account the rights of its groups. Without a mapped group, the account becomes a user and stays in its project. */
async function applyRights(tx: Tx, issuer: Provisioner, userId: string, actor: Actor): Promise<void> {
  const rights = rightsOf(issuer.groups, await groupsOf(tx, issuer, userId));
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  if (!rights || user.platform_admin) return;
  await changeAccount(tx, userId, rights === 'none' ? { role: 'user' } : rights, actor, ({ platform_admin }) => {
    if (platform_admin) throw platformAdminKept();
  });
}

/** Limit of the members of all groups on a page: about 2 MiB of JSON. */
const MOST_LISTED_MEMBERS = 10_000;

/** Returns how many groups fit on a page, given the number of members of each group. */
function fitting(sizes: readonly number[]): number {
  let members = 0;
  const tooMany = sizes.findIndex((size) => (members += size) > MOST_LISTED_MEMBERS);
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

export const GROUP_FILTERS = ['id', 'displayName', 'externalId', 'members'];

/** Builds the condition of a filter. Returns `undefined` when no group can match because an id in the filter is malformed. */
function whereOf(issuer: string, filter: Filter) {
  const id = filter.get('id');
  const member = filter.get('members');
  const user_id = member === undefined ? undefined : decodeId('usr', member);
  if ((member !== undefined && !user_id) || (id !== undefined && !z.uuid().safeParse(id).success)) return undefined;
  const [display_name, external_id] = [filter.get('displayName'), filter.get('externalId')];
  return {
    issuer,
    ...(id !== undefined && { id }),
    ...(display_name !== undefined && { display_name }),
    ...(external_id !== undefined && { external_id }),
    ...(user_id && { members: { some: { user_id } } }),
  };
}

export function createScimGroupStore(db: Database) {
  async function read(tx: Tx, { url }: Provisioner, id: string): Promise<ProvisionedGroup> {
    const group = await tx.scimGroup.findFirst({ where: { id, issuer: url }, include });
    if (!group) throw notFound();
    return group;
  }

  /** Locks the issuer's groups until the transaction ends, so that changes of one user's groups are serialized. */
  async function lock(tx: Tx, { url }: Provisioner): Promise<void> {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`scim ${url}`}, ${ADVISORY_LOCKS.named}))::text`;
  }

  /** @throws ScimError when the issuer does not provision one of the members. */
  async function setMembers(tx: Tx, issuer: Provisioner, group: ProvisionedGroup, members: readonly string[]) {
    const wanted = new Set(members);
    if (wanted.size > MOST_MEMBERS) throw invalid('members', `must be at most ${MOST_MEMBERS}`);
    const present = new Set(group.members.map(({ user_id }) => user_id));
    const added = [...wanted].filter((id) => !present.has(id));
    const removed = [...present].filter((id) => !wanted.has(id));
    if (added.length + removed.length > MOST_CHANGED)
      throw invalid('members', `must differ from the present ones by at most ${MOST_CHANGED}`);
    const known = await tx.scimUser.count({
      where: { issuer: issuer.url, user_id: { in: added }, user: { deleted_at: null } },
    });
    if (known !== added.length) throw invalid('members', 'must be users that this issuer provisions');
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
    // A group's new name may be mapped to other rights, so a renaming counts as a change of all members.
    if (isRenamed && wanted.members.length > MOST_CHANGED)
      throw invalid('displayName', `cannot change while there are more than ${MOST_CHANGED} members`);
    const affected = isRenamed ? [...new Set([...changed, ...wanted.members])].sort() : changed;
    for (const userId of affected) await applyRights(tx, issuer, userId, actor);
    return read(tx, issuer, group.id);
  }

  /** Returns the number of members of each group. */
  async function sizesOf(ids: string[]): Promise<number[]> {
    const rows = await db.prisma.scimMember.groupBy({
      by: ['group_id'],
      where: { group_id: { in: ids } },
      _count: { user_id: true },
    });
    const sizes = new Map(rows.map(({ group_id, _count }) => [group_id, _count.user_id]));
    return ids.map((id) => sizes.get(id) ?? 0);
  }

  return {
    find: (issuer: Provisioner, id: string) => db.transaction((tx) => read(tx, issuer, id)),

    /** Lists a page of groups. The page ends before the group that exceeds the limit of members, but contains at least one group. */
    async list({ url }: Provisioner, { filter, startIndex, count, withMembers }: ListQuery & { withMembers: boolean }) {
      const where = whereOf(url, filter);
      if (!where) return { total: 0, groups: [] };
      const page = { where, orderBy: { id: 'asc' }, skip: startIndex - 1 } as const;
      const [total, ids] = await Promise.all([
        db.prisma.scimGroup.count({ where }),
        db.prisma.scimGroup.findMany({ ...page, take: count, select: { id: true } }),
      ]);
      const take = withMembers ? fitting(await sizesOf(ids.map(({ id }) => id))) : ids.length;
      if (withMembers) return { total, groups: await db.prisma.scimGroup.findMany({ ...page, take, include }) };
      const groups = await db.prisma.scimGroup.findMany({ ...page, take });
      return { total, groups: groups.map((group) => ({ ...group, members: [] })) };
    },

    async create(tx: Tx, issuer: Provisioner, wanted: WantedGroup, actor: Actor): Promise<ProvisionedGroup> {
      await lock(tx, issuer);
      if ((await tx.scimGroup.count({ where: { issuer: issuer.url } })) >= MOST_GROUPS)
        throw invalid('displayName', `is one too many: an issuer has at most ${MOST_GROUPS} groups`);
      const data = { id: newId(), issuer: issuer.url, display_name: wanted.displayName };
      const group = await tx.scimGroup.create({ data, include }).catch(conflictWhenTaken);
      return save(tx, issuer, group, wanted, actor);
    },

    async change(
      tx: Tx,
      issuer: Provisioner,
      id: string,
      change: (group: WantedGroup) => WantedGroup,
      actor: Actor,
    ): Promise<ProvisionedGroup> {
      await lock(tx, issuer);
      const group = await read(tx, issuer, id);
      const { display_name: displayName, external_id: externalId, members } = group;
      const present = { displayName, externalId, members: members.map(({ user_id }) => user_id) };
      return save(tx, issuer, group, change(present), actor).catch(conflictWhenTaken);
    },

    async remove(tx: Tx, issuer: Provisioner, id: string, actor: Actor): Promise<void> {
      await lock(tx, issuer);
      const group = await read(tx, issuer, id);
      const { display_name: displayName, external_id: externalId } = group;
      await save(tx, issuer, group, { displayName, externalId, members: [] }, actor);
      await tx.scimGroup.delete({ where: { id } });
      await recordDecision(tx, {
        ...{ actor, action: 'scim_group.delete', resource: id },
        detail: { issuer: issuer.url, name: group.display_name },
      });
    },
  };
}
export type ScimGroupStore = ReturnType<typeof createScimGroupStore>;
