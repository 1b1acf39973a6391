import { accessTokenId, worksInItsProject, type Project } from '@millwright/auth';
import type { ActorClaim } from '@millwright/auth/agent-tokens';
import { decodeId, encodeId, type Database } from '@millwright/db';

/** The caller of a server or plugin: a run, or a client without a run. */
export type Hop =
  | {
      /** Public id of the run. */
      runId: string;
      /** True: the run and its agents may have ended, because the call only cancels what the run has started. */
      isOver?: boolean;
    }
  | { userId: string; project: Project; clientId: string | undefined };

/** The user and the actors of a call. */
export interface LiveHop {
  userId: string;
  project: Project;
  act: ActorClaim | undefined;
  clientId: string | undefined;
  /** Public id of the run (claim `txn`). */
  txn: string | undefined;
}

/** The user, an agent or the client of a call is no longer active. */
export class HopRefused extends Error {
  override name = 'HopRefused';
}

interface ActorRow {
  id: string;
  version: number | null;
}

interface HopRow {
  user_id: string;
  project: Project;
  actors: ActorRow[];
  /** Id of the access token that started the run. */
  credential: string | null;
  /** Public id of the API key that started the run. */
  api_key: string | null;
  is_live: boolean;
}

/** Maximum number of ancestors of a run; bounds the query. */
const DEPTH = 16;

/** SQL condition that the OAuth client with the id, if there is one, may act for the user `u`: its owner, or a user who has not withdrawn the consent. */
const clientIsLive = (clientId: string) => `NOT EXISTS (
  SELECT FROM oauth_clients c LEFT JOIN users o ON o.id = c.user_id
   WHERE c.client_id = ${clientId} AND (c.revoked_at IS NOT NULL OR o.status <> 'active' OR EXISTS (
     SELECT FROM oauth_consents n
      WHERE n.client_id = c.id AND n.user_id = u.id AND n.revoked_at IS NOT NULL AND c.user_id IS DISTINCT FROM u.id)))`;

/** SQL condition that the agent with the id is active and not stopped. An agent without a row is the built-in agent or was deleted. */
const agentIsLive = (agentId: string) => `EXISTS (
  SELECT FROM agents a WHERE a.id = ${agentId} AND a.status = 'active' AND a.stopped_at IS NULL)`;

const RUN = `
  WITH RECURSIVE chain AS (
    SELECT r.id, r.parent_id, r.user_id, r.project, r.state, r.subject_kind, r.subject_id, r.subject_version,
           r.credential_kind, r.credential_id, 0 AS up FROM runs r WHERE r.id = $1
    UNION ALL
    SELECT r.id, r.parent_id, r.user_id, r.project, r.state, r.subject_kind, r.subject_id, r.subject_version,
           r.credential_kind, r.credential_id, up + 1 FROM chain c JOIN runs r ON r.id = c.parent_id WHERE up < ${DEPTH})
  SELECT u.id AS user_id, r.project, r.actors, r.credential, r.api_key,
         u.status = 'active' AND ${worksInItsProject('r')} AND r.is_live
           AND (r.credential IS NULL OR ${clientIsLive('left(r.credential, -37)')}) AS is_live
    FROM (SELECT (array_agg(user_id ORDER BY up))[1] AS user_id, (array_agg(project ORDER BY up))[1] AS project,
                 (array_agg(credential_id ORDER BY up DESC) FILTER (WHERE credential_kind = 'access_token'))[1] AS credential,
                 (array_agg(credential_id ORDER BY up DESC) FILTER (WHERE credential_kind = 'api_key'))[1] AS api_key,
                 json_agg(json_build_object('id', subject_id, 'version', subject_version) ORDER BY up)
                   FILTER (WHERE subject_kind = 'agent') AS actors,
                 $2 OR bool_and(state NOT IN ('completed', 'failed', 'canceled')) FILTER (WHERE up = 0)
                   AND bool_and(subject_kind <> 'agent' OR subject_version IS NULL OR ${agentIsLive('subject_id')}) AS is_live
            FROM chain HAVING count(*) > 0) r
    JOIN users u ON u.id = r.user_id`;

const CLIENT = `
  SELECT u.id AS user_id, h.project, '[]'::json AS actors, NULL AS credential, NULL AS api_key,
         u.status = 'active' AND ${worksInItsProject('h')} AND ($3::text IS NULL OR ${clientIsLive('$3')}) AS is_live
    FROM users u, (SELECT $2::text AS project) h WHERE u.id = $1`;

const KEY = 'SELECT revoked_at IS NULL OR revoked_at > now() AS is_live FROM user_api_keys WHERE id = $1';

/** Whether a run may continue that the key started: an expired key ends no run, a revoked key does. */
async function isLiveKey(db: Database, key: string): Promise<boolean> {
  const [row] = await db.prepared<Pick<HopRow, 'is_live'>>('key-of-hop', KEY, [decodeId('key', key)]);
  return row?.is_live ?? false;
}

/** The chain of actors, the last one outermost. */
export const nestedActors = (actors: readonly ActorRow[]): ActorClaim | undefined =>
  actors.reduceRight<ActorClaim | undefined>(
    (act, { id, version }) => ({
      sub: encodeId('ag', id),
      ...(version !== null && { version }),
      ...(act && { act }),
    }),
    undefined,
  );

/**
 * Reads the current user and actors of a call from the database, so that disabling a user, an agent or a client, revoking an API key or
 * withdrawing a consent prevents every further call.
 *
 * @throws HopRefused
 */
export async function requireLiveHop(db: Database, hop: Hop): Promise<LiveHop> {
  const isRun = 'runId' in hop;
  const [row] = isRun
    ? await db.prepared<HopRow>('hop-of-run', RUN, [decodeId('run', hop.runId), hop.isOver ?? false])
    : await db.prepared<HopRow>('hop-of-client', CLIENT, [hop.userId, hop.project, hop.clientId ?? null]);
  if (!row?.is_live || (row.api_key !== null && !(await isLiveKey(db, row.api_key))))
    throw new HopRefused('The user, the agent or the credential of the call is not active any more.');
  const { user_id: userId, project, credential } = row;
  const clientId = isRun ? credential?.slice(0, -accessTokenId('', userId).length) : hop.clientId;
  const act = isRun ? nestedActors(row.actors) : clientId === undefined ? undefined : { sub: clientId };
  return { userId, project, act, clientId, txn: isRun ? hop.runId : undefined };
}
