import { z } from 'zod';
import { encodeId } from '@millwright/db';
import { invalid } from './scim-error.js';
import { printable } from './scim-text.js';
import { changesOf, parseValue, type Operation } from './scim-patch.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A boolean. Some clients write it as a text. */
const Active = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);
const Text = printable(200).trim().min(1);
const Email = printable(254).trim();
const ExternalId = printable(500).nullish();
const NameParts = z.object({ formatted: Text.nullish(), givenName: Text.nullish(), familyName: Text.nullish() });

/** The supported attributes of a user; other attributes are ignored. */
export const UserBody = z.object({
  userName: Email,
  externalId: ExternalId,
  active: Active.default(true),
  displayName: Text.nullish(),
  name: NameParts.nullish(),
});

/** The state of an account that a client requests. */
export interface WantedUser {
  email: string;
  externalId: string | null;
  isActive: boolean;
  /** `undefined` when the client states no name. */
  name: string | undefined;
}

interface StatedName extends z.output<typeof NameParts> {
  displayName?: string | null | undefined;
}

/** Returns the account's name, which is one text. The given name and the family name are used only if the client sends both. */
function nameOf({ displayName, formatted, givenName, familyName }: StatedName): string | undefined {
  return displayName ?? formatted ?? (givenName && familyName ? `${givenName} ${familyName}` : undefined);
}

export function wantedUser({ userName, externalId, active, displayName, name }: z.output<typeof UserBody>): WantedUser {
  const only = name?.givenName ?? name?.familyName ?? undefined;
  const stated = nameOf({ displayName, ...name }) ?? only;
  return { email: userName, externalId: externalId ?? null, isActive: active, name: stated };
}

/** Attributes of an account and parts of its name, as stated by a patch. */
interface Stated {
  user: WantedUser;
  name: StatedName;
}

type Set = (stated: Stated, value: unknown) => Stated;
const setUser =
  (part: (value: unknown) => Partial<WantedUser>): Set =>
  (stated, value) => ({ ...stated, user: { ...stated.user, ...part(value) } });
const setName =
  (part: (value: unknown) => StatedName): Set =>
  (stated, value) => ({ ...stated, name: { ...stated.name, ...part(value) } });

const FIELDS: Readonly<Record<string, Set>> = {
  username: setUser((value) => ({ email: parseValue(Email, 'userName', value) })),
  externalid: setUser((value) => ({ externalId: parseValue(ExternalId, 'externalId', value) ?? null })),
  active: setUser((value) => ({ isActive: parseValue(Active, 'active', value) })),
  displayname: setName((value) => ({ displayName: parseValue(Text, 'displayName', value) })),
  name: setName((value) => parseValue(NameParts, 'name', value)),
  'name.formatted': setName((value) => ({ formatted: parseValue(Text, 'name.formatted', value) })),
  'name.givenname': setName((value) => ({ givenName: parseValue(Text, 'name.givenName', value) })),
  'name.familyname': setName((value) => ({ familyName: parseValue(Text, 'name.familyName', value) })),
};
const REQUIRED = ['username', 'active', 'displayname', 'name', 'name.formatted'];

/** Applies a patch to a user. Unsupported attributes are ignored. */
export function patchedUser(user: WantedUser, operations: readonly Operation[]): WantedUser {
  let stated: Stated = { user, name: {} };
  for (const { op, path, value } of changesOf(operations)) {
    const name = path.toLowerCase();
    if (op !== 'remove') stated = FIELDS[name]?.(stated, value) ?? stated;
    else if (name === 'externalid') stated = { ...stated, user: { ...stated.user, externalId: null } };
    else if (REQUIRED.includes(name)) throw invalid('path', 'names an attribute that cannot be removed', 'mutability');
  }
  return { ...stated.user, name: nameOf(stated.name) ?? stated.user.name };
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

/** A user in an answer, without the attributes that the client excludes. */
export const UserResource = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string().optional(),
  displayName: z.string().optional(),
  name: z.object({ formatted: z.string() }).optional(),
  emails: z.array(z.object({ value: z.string(), primary: z.boolean() })).optional(),
  active: z.boolean().optional(),
  meta: z.object({
    resourceType: z.literal('User'),
    created: z.string(),
    lastModified: z.string(),
    location: z.string(),
    version: z.string(),
  }),
});

export const toUserResource = (user: ProvisionedUser, baseUrl: string): z.input<typeof UserResource> => ({
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
