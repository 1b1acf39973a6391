import { decodeId, encodeId } from '@millwright/db';
import { z } from 'zod';
import { invalid } from './scim-error.js';
import { printable } from './scim-text.js';
import { MOST_MEMBERS, type ProvisionedGroup, type WantedGroup } from './scim-groups.store.js';
import { changesOf, memberOf, parseValue, type Operation } from './scim-patch.js';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const Members = z.array(z.object({ value: z.string().max(100) })).max(MOST_MEMBERS);
const DisplayName = printable(500).trim().min(1);
const ExternalId = printable(500).nullish();

export const GroupBody = z.object({
  displayName: DisplayName,
  externalId: ExternalId,
  members: Members.nullish(),
});

function userIdOf(value: string): string {
  const id = decodeId('usr', value);
  if (!id) throw invalid('members', 'must be users that this issuer provisions');
  return id;
}

const idsOf = (members: z.output<typeof Members>) => members.map(({ value }) => userIdOf(value));

export const wantedGroup = ({ displayName, externalId, members }: z.output<typeof GroupBody>): WantedGroup => ({
  displayName,
  externalId: externalId ?? null,
  members: idsOf(members ?? []),
});

/** Returns an array unchanged, and any other value as an array with this value. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

function withMembers(members: readonly string[], op: string, value: unknown): readonly string[] {
  if (op === 'remove' && value === undefined) return [];
  const ids = idsOf(parseValue(Members, 'members', listOf(value)));
  if (op === 'replace') return ids;
  if (op === 'add') return [...members, ...ids];
  const removed = new Set(ids);
  return members.filter((id) => !removed.has(id));
}

/** Applies a patch to a group. Unsupported attributes are ignored. */
export function patchedGroup(group: WantedGroup, operations: readonly Operation[]): WantedGroup {
  let patched = group;
  for (const { op, path, value } of changesOf(operations)) {
    const member = memberOf(path);
    const name = path.toLowerCase();
    if (member !== undefined) {
      if (op !== 'remove') throw invalid('path', 'names a member, who is only removed', 'invalidPath');
      const id = userIdOf(member);
      patched = { ...patched, members: patched.members.filter((kept) => kept !== id) };
    } else if (name === 'members') patched = { ...patched, members: withMembers(patched.members, op, value) };
    else if (name === 'displayname') {
      if (op === 'remove') throw invalid('path', 'names an attribute that cannot be removed', 'mutability');
      patched = { ...patched, displayName: parseValue(DisplayName, 'displayName', value) };
    } else if (name === 'externalid') {
      const externalId = op === 'remove' ? null : (parseValue(ExternalId, 'externalId', value) ?? null);
      patched = { ...patched, externalId };
    }
  }
  return patched;
}

/** A group in an answer, without the attributes that the client excludes. */
export const GroupResource = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  members: z.array(z.object({ value: z.string(), $ref: z.string() })).optional(),
  meta: z.object({
    resourceType: z.literal('Group'),
    created: z.string(),
    lastModified: z.string(),
    location: z.string(),
  }),
});

export const toGroupResource = (group: ProvisionedGroup, baseUrl: string): z.input<typeof GroupResource> => ({
  schemas: [GROUP_SCHEMA],
  id: group.id,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  // A group without members has no attribute `members` (RFC 7643 §2.5).
  ...(group.members.length > 0 && {
    members: group.members.map(({ user_id: id }) => ({
      value: encodeId('usr', id),
      $ref: `${baseUrl}/scim/v2/Users/${encodeId('usr', id)}`,
    })),
  }),
  meta: {
    resourceType: 'Group',
    created: group.created_at.toISOString(),
    lastModified: group.updated_at.toISOString(),
    location: `${baseUrl}/scim/v2/Groups/${group.id}`,
  },
});
