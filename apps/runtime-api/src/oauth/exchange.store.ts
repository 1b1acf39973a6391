import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** A registered server or tool that accepts tokens of this installation. */
export interface ExchangeTarget {
  /** Name of the target service in the audit log. */
  name: string;
  /** Scope of tokens for the target service. */
  scope: string | null;
  /** The client that may exchange the target's tokens for further hops. */
  client_id: string | null;
}

/** The queries of the token exchange. */
export function createExchangeStore(db: Database) {
  return {
    /** The active MCP server or plugin of a project at exactly this address. */
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

    /** Whether every OAuth client among these actors is unrevoked and has an active owner. */
    async areLive(actors: readonly string[]): Promise<boolean> {
      const ended = await db.prepared(
        'ended-actors',
        `SELECT FROM oauth_clients c LEFT JOIN users u ON u.id = c.user_id
          WHERE c.client_id = ANY($1) AND (c.revoked_at IS NOT NULL OR u.status <> 'active') LIMIT 1`,
        [actors],
      );
      return ended.length === 0;
    },
  };
}
export type ExchangeStore = ReturnType<typeof createExchangeStore>;
