import type { Principal, TokenClaims } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { GRANT_COLUMNS, GRANTS, isGrantId, principalOf, type GrantRow } from '../oauth/grants.store.js';
import { joinSession, sessionHash } from './relay/sessions.store.js';
import {
  findRegistered,
  REGISTERED,
  REGISTERED_COLUMNS,
  registeredOf,
  slugOf,
  type Registered,
  type RegisteredRow,
} from './relay/relayed-server.js';

/** What a request names: a server, and a session with it if any. */
export interface Asked {
  server: string;
  sessionId: string | undefined;
}

/** Who sent a request to an MCP endpoint, and the registered server that their project knows by the endpoint's name. */
export interface McpCaller extends Principal {
  registered: Registered | undefined;
}

const FIND = `
  SELECT ${GRANT_COLUMNS}, ${REGISTERED_COLUMNS}
    FROM ${GRANTS} LEFT JOIN ${REGISTERED} ON s.project = g.project AND s.slug = $2 AND s.status <> 'inactive'
         ${joinSession('g.user_id', '$3')}
   WHERE g.id = $1`;

/** Everything that a request has to pass is read anew for it, in one query. */
export function createCallerStore(db: Database) {
  return {
    /** `undefined` once the token's grant, client or account is not live. */
    async ofToken(claims: TokenClaims, { server, sessionId }: Asked): Promise<McpCaller | undefined> {
      if (!isGrantId(claims.sid)) return undefined;
      const values = [claims.sid, slugOf(server), sessionHash(sessionId)];
      const [row] = await db.prepared<GrantRow & RegisteredRow>('find-mcp-caller', FIND, values);
      const principal = principalOf(db, row, claims);
      return principal && { ...principal, registered: registeredOf(row, sessionId) };
    },

    async of(principal: Principal, { server, sessionId }: Asked): Promise<McpCaller> {
      return { ...principal, registered: await findRegistered(db, principal, server, sessionId) };
    },
  };
}
export type CallerStore = ReturnType<typeof createCallerStore>;
