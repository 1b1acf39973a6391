import { z } from 'zod';
import { encodeId } from '@millwright/db';
import { invalid } from './scim-error.js';
import { printable } from './scim-text.js';
import { changesOf, type PatchBody } from './scim-patch.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Some clients write booleans as texts. */
const Active = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);
const Text = printable(200).trim().min(1);

/** The attributes of a user that count; others are ignored. */
export const UserBody = z.object({
  userName: printable(254).trim(),
  externalId: printable(500).nullish(),
  active: Active.default(true),
  displayName: Text.nullish(),
  name: z.object({ formatted: Text.nullish(), givenName: Text.nullish(), familyName: Text.nullish() }).nullish(),
});

/** What a client wants an account to be. */
export interface WantedUser {
  email: string;
  externalId: string | null;
  isActive: boolean;
  /** `undefined`: not stated. */
  name: string | undefined;
}

export function wantedUser({ userName, externalId, active, displayName, name }: z.output<typeof UserBody>): WantedUser {
  const full = [name?.givenName, name?.familyName].filter(Boolean).join(' ');
  const stated = displayName ?? name?.formatted ?? (full === '' ? undefined : full);
  return { email: userName, externalId: externalId ?? null, isActive: active, name: stated };
}

const FIELDS: Readonly<Record<string, (user: WantedUser, value: unknown) => WantedUser>> = {
  username: (user, value) => ({ ...user, email: parse(printable(254).trim(), 'userName', value) }),
  externalid: (user, value) => ({
    ...user,
    externalId: parse(printable(500).nullish(), 'externalId', value) ?? null,
  }),
  active: (user, value) => ({ ...user, isActive: parse(Active, 'active', value) }),
  displayname: (user, value) => ({ ...user, name: parse(Text, 'displayName', value) }),
  'name.formatted': (user, value) => ({ ...user, name: parse(Text, 'name.formatted', value) }),
};

function parse<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(`${name} is not valid.`);
  return result.data;
}

/** The user after a patch. Attributes that are not kept are ignored, and so is the removal of a required one. */
export function patchedUser(user: WantedUser, { Operations }: z.output<typeof PatchBody>): WantedUser {
  let patched = user;
  for (const { op, path, value } of changesOf(Operations)) {
    const set = FIELDS[path.toLowerCase()];
    if (op !== 'remove') patched = set?.(patched, value) ?? patched;
    else if (path.toLowerCase() === 'externalid') patched = { ...patched, externalId: null };
    else if (set) throw invalid(`${path} cannot be removed.`, 'mutability');
  }
  return patched;
}

/** An account that an issuer provisions. */
export interface ProvisionedUser {
  id: string;
  email: string;
  name: string;
  status: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export const toUserResource = (user: ProvisionedUser, baseUrl: string) => ({
  schemas: [USER_SCHEMA],
  id: encodeId('usr', user.id),
  ...(user.external_id !== null && { externalId: user.external_id }),
  userName: user.email,
  displayName: user.name,
  name: { formatted: user.name },
  emails: [{ value: user.email, primary: true }],
  active: user.status === 'active',
  meta: {
    resourceType: 'User',
    created: user.created_at.toISOString(),
    lastModified: user.updated_at.toISOString(),
    location: `${baseUrl}/scim/v2/Users/${encodeId('usr', user.id)}`,
    version: `W/"${user.version}"`,
  },
});
