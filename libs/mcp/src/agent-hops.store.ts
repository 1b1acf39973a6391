import { accessTokenId, worksInItsProject, type Project } from '@millwright/auth';
import { actorsOf, chainOf, type ActorClaim, type Delegation } from '@millwright/auth/actors';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { isFinishing, mayFinishDeleted } from '@millwright/db/deleted-agents';

/** The caller of a server or plugin: a run, or a client outside of a run. */
export type Hop =
  | {
      /** Public id of the run. */
      runId: string;
      /**
       * Whether the call is also allowed when the run has ended or its agents are inactive, because the call only cancels work that the run
       * has started.
       */
      isOver?: boolean;
    }
  | { userId: string; project: Project; clientId: string | undefined; delegation?: Delegation | undefined };

/** The user and the actors of a call. */
export interface LiveHop {
  userId: string;
  project: Project;
  act: ActorClaim | undefined;
  clientId: string | undefined;
  /** Public id of the run; undefined for a call outside of a run. */
  txn: string | undefined;
}

/** Error when the user, an agent or the client of a call is no longer active. */
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
  /** Id of the access token with which the run was started. */
  credential: string | null;
  /** Public id of the API key with which the run was started. */
  api_key: string | null;
  /** The chain of actors of the credential with which the run was started. */
  delegation: Delegation | null;
  is_live: boolean;
}

/** Maximum number of ancestors of a run, which limits the query. */
const DEPTH = 16;

/**
 * SQL condition that no OAuth client has the id, or that the client is active and may act for the user `u`. It may if the user owns the
 * client or has not withdrawn the consent.
 */
const clientIsLive = (clientId: string) => `NOT EXISTS (
  SELECT FROM oauth_clients c LEFT JOIN users o ON o.id = c.user_id
   WHERE c.client_id = ${clientId} AND (c.revoked_at IS NOT NULL OR o.status <> 'active' OR EXISTS (
     SELECT FROM oauth_consents n
      WHERE n.client_id = c.id AND n.user_id = u.id AND n.revoked_at IS NOT NULL AND c.user_id IS DISTINCT FROM u.id)))`;

const agentIsActive = (id: string) => `EXISTS (
  SELECT FROM agents a WHERE a.id = ${id} AND a.status = 'active' AND a.stopped_at IS NULL)`;

/** SQL condition that the agent of the run is active and not stopped, or that it was deleted after the run had begun and the run may finish. */
const agentIsLive = (run: string) => `(${agentIsActive(`${run}.subject_id`)} OR ${mayFinishDeleted(run)})`;

const RUN = `
  WITH RECURSIVE chain AS (
    SELECT r.id, r.parent_id, r.user_id, r.project, r.state, r.subject_kind, r.subject_id, r.subject_version, r.started_at,
           r.credential_kind, r.credential_id, r.caller, 0 AS up FROM runs r WHERE r.id = $1
    UNION ALL
    SELECT r.id, r.parent_id, r.user_id, r.project, r.state, r.subject_kind, r.subject_id, r.subject_version, r.started_at,
           r.credential_kind, r.credential_id, r.caller, up + 1 FROM chain c JOIN runs r ON r.id = c.parent_id WHERE up < ${DEPTH})
  SELECT u.id AS user_id, r.project, r.actors, r.credential, r.api_key, r.delegation,
         u.status = 'active' AND ${worksInItsProject('r')} AND r.is_live
           AND (r.credential IS NULL OR ${clientIsLive('left(r.credential, -37)')}) AS is_live
    FROM (SELECT (array_agg(user_id ORDER BY up))[1] AS user_id, (array_agg(project ORDER BY up))[1] AS project,
                 (array_agg(credential_id ORDER BY up DESC) FILTER (WHERE credential_kind = 'access_token'))[1] AS credential,
                 (array_agg(credential_id ORDER BY up DESC) FILTER (WHERE credential_kind = 'api_key'))[1] AS api_key,
                 (array_agg(caller -> 'delegation' ORDER BY up))[1] AS delegation,
                 json_agg(json_build_object('id', subject_id, 'version', subject_version) ORDER BY up)
                   FILTER (WHERE subject_kind = 'agent') AS actors,
                 $2 OR bool_and(state NOT IN ('completed', 'failed', 'canceled')) FILTER (WHERE up = 0)
                   AND bool_and(subject_kind <> 'agent' OR subject_version IS NULL OR ${agentIsLive('chain')}) AS is_live
            FROM chain HAVING count(*) > 0) r
    JOIN users u ON u.id = r.user_id`;

const CLIENT = `
  SELECT u.id AS user_id, h.project, '[]'::json AS actors, NULL AS credential, NULL AS api_key, NULL AS delegation,
         u.status = 'active' AND ${worksInItsProject('h')} AND ($3::text IS NULL OR ${clientIsLive('$3')}) AS is_live
    FROM users u, (SELECT $2::text AS project) h WHERE u.id = $1`;

const KEY = 'SELECT revoked_at IS NULL OR revoked_at > now() AS is_live FROM user_api_keys WHERE id = $1';

/** Whether a run that was started with the key may continue. An expired key ends no run, but a revoked key does. */
async function isLiveKey(db: Database, key: string): Promise<boolean> {
  const [row] = await db.prepared<Pick<HopRow, 'is_live'>>('key-of-hop', KEY, [decodeId('key', key)]);
  return row?.is_live ?? false;
}

const DELEGATION = `
  SELECT NOT EXISTS (SELECT FROM unnest($1::uuid[]) agent(id) WHERE NOT ${agentIsActive('agent.id')} AND NOT EXISTS (
         SELECT FROM deleted_agent_versions k WHERE k.agent_id = agent.id AND ${isFinishing('k')}))
     AND NOT EXISTS (
       SELECT FROM oauth_clients c LEFT JOIN users o ON o.id = c.user_id
        WHERE c.client_id = ANY($2::text[]) AND (c.revoked_at IS NOT NULL OR o.status <> 'active'))
     AND ($3::uuid IS NULL OR EXISTS (
       SELECT FROM oauth_grants g JOIN users u ON u.id = g.user_id
        WHERE g.id = $3 AND g.revoked_at IS NULL AND g.epoch = u.grants_epoch AND NOT ($4::text = ANY(g.ended_tokens)))) AS is_live`;

/**
 * Whether every agent and client of this installation in a chain is active, and the credential with the chain is not revoked. Actors of
 * other systems are not checked: their issuer decides about them, and issues no further credential for an inactive actor.
 */
export async function isLiveDelegation(
  db: Database,
  { act, grant, token }: Partial<Omit<Delegation, 'txn'>>,
): Promise<boolean> {
  const own = actorsOf(act).filter(({ iss }) => iss === undefined);
  // The built-in agent is left out: it has no version and no row.
  const agents = own.flatMap(({ sub, version }) => (version === undefined ? [] : (decodeId('ag', sub) ?? [])));
  const values = [agents, own.map(({ sub }) => sub), grant ?? null, token ?? null];
  const [row] = await db.prepared<Pick<HopRow, 'is_live'>>('delegation-of-hop', DELEGATION, values);
  return row?.is_live ?? false;
}

/**
 * Returns the actors of a call by a client. When the client uses an exchanged token, the client is already the last
 * actor of the chain.
 */
function actorsOfClient(clientId: string, former: ActorClaim | undefined): ActorClaim {
  if (former?.sub === clientId && former.iss === undefined) return former;
  return { sub: clientId, ...(former && { act: former }) };
}

/** The chain of actors of a run, the last actor outermost. */
const actorsOfRun = (actors: readonly ActorRow[], former: ActorClaim | undefined): ActorClaim | undefined =>
  chainOf(
    actors.map(({ id, version }) => ({ sub: encodeId('ag', id), ...(version !== null && { version }) })),
    former,
  );

/**
 * Reads the current user and actors of a call from the database. As soon as the user, an agent or a client is disabled,
 * an API key is revoked or a consent is withdrawn, no further call is made.
 *
 * @throws HopRefused in these cases
 */
export async function requireLiveHop(db: Database, hop: Hop): Promise<LiveHop> {
  const isRun = 'runId' in hop;
  const [row] = isRun
    ? await db.prepared<HopRow>('hop-of-run', RUN, [decodeId('run', hop.runId), hop.isOver ?? false])
    : await db.prepared<HopRow>('hop-of-client', CLIENT, [hop.userId, hop.project, hop.clientId ?? null]);
  const delegation = isRun ? (row?.delegation ?? undefined) : hop.delegation;
  const isLive =
    row?.is_live &&
    (row.api_key === null || (await isLiveKey(db, row.api_key))) &&
    (!delegation || (isRun && hop.isOver) || (await isLiveDelegation(db, delegation)));
  if (!isLive) throw new HopRefused('The user, the agent or the credential of the call is not active any more.');
  const { user_id: userId, project, credential } = row;
  const clientId = isRun ? credential?.slice(0, -accessTokenId('', userId).length) : hop.clientId;
  const former = delegation?.act;
  const ofClient = clientId === undefined ? former : actorsOfClient(clientId, former);
  const act = isRun ? actorsOfRun(row.actors, former) : ofClient;
  return { userId, project, act, clientId, txn: isRun ? hop.runId : undefined };
}
