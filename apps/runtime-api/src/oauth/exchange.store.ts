import { ACCOUNT_COLUMNS, worksInItsProject, type AccountRow, type Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** A registered server or tool that accepts tokens of this installation. */
export interface ExchangeTarget {
  /** Name of the target service in the audit log. */
  name: string;
  /** Scope of tokens for the target service. */
  scope: string | null;
  /** The client id of the target service. This client may exchange the tokens that the service receives for tokens of the next hop. */
  client_id: string | null;
}

/** The queries of the token exchange. */
export function createExchangeStore(db: Database) {
  return {
    /** Finds the active MCP server or plugin of a project whose address is exactly `url`. */
    async findTarget(project: Project, url: string): Promise<ExchangeTarget | undefined> {
      const [found] = await db.prepared<ExchangeTarget>(
        'find-exchange-target',
        `SELECT slug AS name, auth ->> 'scope' AS scope, auth ->> 'client_id' AS client_id FROM mcp_servers
          WHERE project = $1 AND url = $2 AND status = 'active' AND auth ->> 'type' = 'agent_token'
         UNION ALL
         SELECT name, config -> 'auth' ->> 'scope', config -> 'auth' ->> 'client_id' FROM plugins
          WHERE project = $1 AND type = 'tool' AND status = 'active'
            AND config ->> 'url' = $2 AND config -> 'auth' ->> 'type' = 'agent_token'
         LIMIT 1`,
        [project, url],
      );
      return found;
    },

    /** Finds the account of a call's user. Undefined when it is not active or does not work in the project. */
    async findUser(userId: string, project: Project): Promise<AccountRow | undefined> {
      const [found] = await db.prepared<AccountRow>(
        'find-exchange-user',
        `SELECT ${ACCOUNT_COLUMNS} FROM users u, (SELECT $2::text AS project) p
          WHERE u.id = $1 AND u.status = 'active' AND ${worksInItsProject('p')}`,
        [userId, project],
      );
      return found;
    },
  };
}
export type ExchangeStore = ReturnType<typeof createExchangeStore>;
