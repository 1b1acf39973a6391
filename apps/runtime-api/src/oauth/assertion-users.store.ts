import { ACCOUNT_COLUMNS, worksInItsProject, type AccountRow, type Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** Finds the accounts that are linked to users of identity providers. */
export function createAssertionUserStore(db: Database) {
  return {
    /** Finds the active account that is linked to the provider's user and that works in the project. */
    async find(issuer: string, subject: string, project: Project): Promise<AccountRow | undefined> {
      const [row] = await db.prepared<AccountRow>(
        'find-assertion-user',
        `SELECT ${ACCOUNT_COLUMNS} FROM sso_identities i JOIN users u ON u.id = i.user_id, (SELECT $3::text AS project) p
          WHERE i.issuer = $1 AND i.subject = $2 AND u.status = 'active' AND ${worksInItsProject('p')}`,
        [issuer, subject, project],
      );
      return row;
    },
  };
}
export type AssertionUserStore = ReturnType<typeof createAssertionUserStore>;
