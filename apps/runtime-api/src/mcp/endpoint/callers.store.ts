import type { Principal, TokenClaims } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { SERVER_COLUMNS, serverOf, slugOf, type ServerRow } from '@millwright/mcp';
import { GRANT_COLUMNS, GRANTS, isGrantId, principalOf, type GrantRow } from '../../oauth/grants.store.js';
import {
  joinSession,
  SESSION_COLUMNS,
  sessionHash,
  sessionOf,
  type ServerInSession,
  type SessionRow,
} from '@millwright/mcp/client-sessions';

/** The server that a request names, and the session that it names, if any. */
export interface Asked {
  server: string;
  sessionId: string | undefined;
}

/** The principal of a request to an MCP endpoint, with the registered server of the project that the path names. */
export interface McpCaller extends Principal {
  registered: ServerInSession | undefined;
}

type RegisteredRow = ServerRow & SessionRow;

/**
 * SQL condition that a server `s` has an MCP endpoint at this installation. Outside agents have no MCP endpoint, because their protocol is
 * not MCP.
 */
const RELAYED = `s.status <> 'inactive' AND s.transport = 'streamable-http'`;

const COLUMNS = `${SERVER_COLUMNS}, ${SESSION_COLUMNS}`;

const FIND_BY_GRANT = `
  SELECT ${GRANT_COLUMNS}, ${COLUMNS}
    FROM ${GRANTS} LEFT JOIN mcp_servers s ON s.project = g.project AND s.slug = $2 AND ${RELAYED}
         ${joinSession('g.user_id', '$3')}
   WHERE g.id = $1`;

const FIND_SERVER = `
  SELECT ${COLUMNS} FROM mcp_servers s ${joinSession('$3', '$4')}
   WHERE s.project = $1 AND s.slug = $2 AND ${RELAYED}`;

/** Reads in one query all data that is needed to admit a request. Nothing is cached between requests. */
export function createCallerStore(db: Database) {
  return {
    /** Returns the caller of an access token; `undefined` once the token's grant, client or account has ended. */
    async ofToken(claims: TokenClaims, { server, sessionId }: Asked): Promise<McpCaller | undefined> {
      if (!isGrantId(claims.sid)) return undefined;
      const values = [claims.sid, slugOf(server), sessionHash(sessionId)];
      const [row] = await db.prepared<GrantRow & RegisteredRow>('find-mcp-caller', FIND_BY_GRANT, values);
      const principal = await principalOf(db, row, claims);
      return principal && { ...principal, registered: registeredOf(row, sessionId) };
    },

    async of(principal: Principal, { server, sessionId }: Asked): Promise<McpCaller> {
      const values = [principal.project, slugOf(server), principal.user.id, sessionHash(sessionId)];
      const [row] = await db.prepared<RegisteredRow>('find-relayed-server', FIND_SERVER, values);
      return { ...principal, registered: registeredOf(row, sessionId) };
    },
  };
}
export type CallerStore = ReturnType<typeof createCallerStore>;

function registeredOf(row: RegisteredRow | undefined, sessionId: string | undefined): ServerInSession | undefined {
  const found = row && serverOf(row);
  return found && { ...found, session: sessionOf(row, sessionId) };
}
