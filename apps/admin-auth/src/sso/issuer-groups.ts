import type { Tx } from '@millwright/db';
import type { SsoIssuer } from './sso-file.js';

/** Limit of the groups of an issuer. */
export const MOST_GROUPS = 500;

/** Returns the names of the issuer's groups of which the account is a member. */
export async function groupsOf(tx: Pick<Tx, 'scimMember'>, { url }: SsoIssuer, userId: string): Promise<string[]> {
  const rows = await tx.scimMember.findMany({
    where: { user_id: userId, group: { issuer: url } },
    select: { group: { select: { display_name: true } } },
    take: MOST_GROUPS,
  });
  return rows.map(({ group }) => group.display_name);
}
