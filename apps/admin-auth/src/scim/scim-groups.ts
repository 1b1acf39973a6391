import { decodeId, encodeId } from '@millwright/db';
import { z } from 'zod';
import { invalid } from './scim-error.js';
import { printable } from './scim-text.js';
import type { ProvisionedGroup, WantedGroup } from './scim-groups.store.js';
import { changesOf, memberOf, type PatchBody } from './scim-patch.js';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const Members = z.array(z.object({ value: z.string().max(100) })).max(1_000);
const DisplayName = printable(500).trim().min(1);
const ExternalId = printable(500).nullish();

export const GroupBody = z.object({
  displayName: DisplayName,
  externalId: ExternalId,
  members: Members.nullish(),
});

function userIdOf(value: string): string {
  const id = decodeId('usr', value);
  if (!id) throw invalid('A member is not a user that this issuer provisions.');
  return id;
}

const idsOf = (members: z.output<typeof Members>) => members.map(({ value }) => userIdOf(value));

export const wantedGroup = ({ displayName, externalId, members }: z.output<typeof GroupBody>): WantedGroup => ({
  displayName,
  externalId: externalId ?? null,
  members: idsOf(members ?? []),
});

function parse<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(`${name} is not valid.`);
  return result.data;
}

/** One value, or a list of them. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

function withMembers(members: readonly string[], op: string, value: unknown): readonly string[] {
  if (op === 'remove' && value === undefined) return [];
  const ids = idsOf(parse(Members, 'members', listOf(value)));
  if (op === 'replace') return ids;
  return op === 'add' ? [...members, ...ids] : members.filter((id) => !ids.includes(id));
}

/** The group after a patch. Attributes that are not kept are ignored. */
export function patchedGroup(group: WantedGroup, { Operations }: z.output<typeof PatchBody>): WantedGroup {
  let patched = group;
  for (const { op, path, value } of changesOf(Operations)) {
    const member = memberOf(path);
    const name = path.toLowerCase();
    if (member !== undefined) {
      if (op !== 'remove') throw invalid('A member is only removed by its value.', 'invalidPath');
      const id = userIdOf(member);
      patched = { ...patched, members: patched.members.filter((kept) => kept !== id) };
    } else if (name === 'members') patched = { ...patched, members: withMembers(patched.members, op, value) };
    else if (name === 'displayname') {
      if (op === 'remove') throw invalid('displayName cannot be removed.', 'mutability');
      patched = { ...patched, displayName: parse(DisplayName, 'displayName', value) };
    } else if (name === 'externalid')
      patched = { ...patched, externalId: op === 'remove' ? null : (parse(ExternalId, 'externalId', value) ?? null) };
  }
  return patched;
}

export const toGroupResource = (group: ProvisionedGroup, baseUrl: string) => ({
  schemas: [GROUP_SCHEMA],
  id: group.id,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  members: group.members.map(({ user_id: id }) => ({
    value: encodeId('usr', id),
    $ref: `${baseUrl}/scim/v2/Users/${encodeId('usr', id)}`,
  })),
  meta: {
    resourceType: 'Group',
    created: group.created_at.toISOString(),
    lastModified: group.updated_at.toISOString(),
    location: `${baseUrl}/scim/v2/Groups/${group.id}`,
  },
});
