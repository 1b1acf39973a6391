import {
  ACCOUNT_COLUMNS,
  effectiveScopes,
  rolesOf,
  secretMatches,
  userOf,
  type AccountRow,
  type Principal,
  type Project,
} from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { SsoIssuer } from '../sso/sso-file.js';

/** An issuer that provisions accounts. */
export type Provisioner = SsoIssuer & { scim: NonNullable<SsoIssuer['scim']> };

export const provisionersOf = (issuers: readonly SsoIssuer[]): Provisioner[] =>
  issuers.filter((issuer): issuer is Provisioner => issuer.scim !== undefined);

const TOKEN = /^Bearer ([\x21-\x7e]{32,500})$/i;

/** Returns the issuer whose token is in the header. Compares all hashes, each in constant time. */
export function findProvisioner(provisioners: readonly Provisioner[], header: string | undefined) {
  const token = TOKEN.exec(header ?? '')?.[1];
  if (token === undefined) return undefined;
  const matches = provisioners.filter(({ scim }) =>
    scim.tokenHashes.map((hash) => secretMatches(token, hash)).includes(true),
  );
  return matches[0];
}

/** Returns the credential id of an issuer. Both tokens of an issuer have the same id. */
export const credentialIdOf = ({ name }: Pick<Provisioner, 'name'>): string => `scim_${name}`;

/** Returns the account that is accountable for an issuer's changes; `undefined` when this account is not an active admin. */
export async function ownerOf(db: Database, { name, scim }: Provisioner): Promise<Principal | undefined> {
  const [row] = await db.prepared<AccountRow & { project: Project }>(
    'find-scim-owner',
    `SELECT u.project, ${ACCOUNT_COLUMNS} FROM users u WHERE u.email = $1 AND u.status = 'active' AND u.role = 'admin'`,
    [scim.owner],
  );
  if (!row) return undefined;
  const credential = { kind: 'provisioning_token', id: credentialIdOf({ name }), plan: 'standard' } as const;
  return {
    user: userOf(row),
    project: row.project,
    roles: rolesOf(row),
    scopes: effectiveScopes([], ['admin']),
    credential,
  };
}
