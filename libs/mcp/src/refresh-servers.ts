import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, moveCount, Prisma, type Database, type Tx } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import type { SecretBox } from '@millwright/secrets';
import { resealAuth, type SealedAuth } from './server-auth.js';
import { resealHeaders, type SealedHeaders } from './server-headers.js';
import { probeFaultOf } from './probe-fault.js';
import { markProbeDue } from './servers.store.js';
import { readTools, type McpToolDefinition } from './tool-list.js';
import { countAvailableTools, storeTools, type ToolChanges } from './tools.store.js';
import { findGenerations, type Generation } from './generations.js';
import { createUpstreamFetch, notConnectedIn } from './server-fetch.js';
import { A2A, readAgentCard, type CardSource } from './outside-agents/agent-card.js';
import type { CardSignature } from './outside-agents/card-signature.js';
import { withMcpClient, type McpLimits } from './sdk-client.js';

export interface McpDeps {
  db: Database;
  /** Fetch function of the egress. */
  fetch: EgressFetch;
  secrets: SecretBox;
}

export interface RefreshOptions extends McpDeps {
  limits?: McpLimits;
  /**
   * Runs the transaction that stores the result of a probe. For a job, it is a step, which fails once the run of the
   * job has ended. Default: a transaction of `db`.
   */
  transaction?: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Aborting this signal ends current probes without a result; their servers are due again immediately. */
  signal?: AbortSignal;
  /** Called with the reason why a server is unreachable, for logs: the cause may name addresses. */
  onUnreachable?: (serverId: string, cause: unknown) => void;
}

const PROBE_LIMITS: McpLimits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 };

const CLAIMED = Prisma.sql`id, project, url, headers, auth, transport, require_signed_card, card_jwks_url, generations, created_by`;
/** Time after which an unfinished probe is treated as dead, so that another probe may start. */
const LEASE = '60 seconds';
const EVERY = '5 minutes';
const AT_ONCE = 8;

interface Claimed extends CardSource {
  id: string;
  project: string;
  transport: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  generations: Generation[];
  /** The user with whose account the server is probed, when the server requires a user's account. */
  created_by: string;
}

/**
 * The result of a probe: the tools; the reason why there are no tools; or `not connected`, when the user who registered
 * the server has no account connected.
 */
type Outcome = Reached | { cause: unknown } | 'not connected';

interface Reached {
  tools: McpToolDefinition[];
  generations: Generation[];
  /** The state of the signature of an agent's card. */
  signature?: CardSignature;
}

/**
 * Probes every server whose probe is due: five minutes after its last probe, after a change, or after the process that
 * probed it died. Replicas share the work. Resolves to the number of probes.
 */
export async function refreshMcpServers(options: RefreshOptions, actor: Actor): Promise<number> {
  const worker = async () => {
    let probed = 0;
    while (!options.signal?.aborted) {
      const claimed = await claimDue(options.db);
      if (!claimed) break;
      await probe(options, actor, claimed);
      probed += 1;
    }
    return probed;
  };
  const counts = await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Probes the server with this UUID now. Resolves to `false` when the server is inactive or deleted. */
export async function refreshMcpServer(options: RefreshOptions, actor: Actor, serverUuid: string): Promise<boolean> {
  const claimed = await claimOne(options.db, serverUuid);
  if (!claimed) return false;
  await probe(options, actor, claimed);
  return true;
}

/** Claims the server that has been due longest and that no other replica has claimed. */
async function claimDue(db: Database): Promise<Claimed | undefined> {
  const [claimed] = await db.prisma.$queryRaw<Claimed[]>`
    UPDATE mcp_servers SET probe_due_at = now() + ${LEASE}::interval
      WHERE id = (SELECT id FROM mcp_servers WHERE probe_due_at <= now() AND status <> 'inactive'
                   ORDER BY probe_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${CLAIMED}`;
  return claimed;
}

async function claimOne(db: Database, serverUuid: string): Promise<Claimed | undefined> {
  const [claimed] = await db.prisma.$queryRaw<Claimed[]>`
    UPDATE mcp_servers SET probe_due_at = now() + ${LEASE}::interval
      WHERE id = ${serverUuid}::uuid AND status <> 'inactive' RETURNING ${CLAIMED}`;
  return claimed;
}

async function probe(options: RefreshOptions, actor: Actor, claimed: Claimed): Promise<void> {
  const outcome = await probeTools(options, claimed);
  if (options.signal?.aborted) {
    await markProbeDue(options.db.prisma, claimed.id);
    return;
  }
  if (outcome !== 'not connected' && 'cause' in outcome)
    options.onUnreachable?.(encodeId('ms', claimed.id), outcome.cause);
  const keepOutcome = (tx: Tx) => settle(tx, options.secrets, actor, claimed, outcome);
  await (options.transaction ? options.transaction(keepOutcome) : options.db.transaction(keepOutcome));
}

async function probeTools(options: RefreshOptions, claimed: Claimed): Promise<Outcome> {
  const { signal, limits = PROBE_LIMITS } = options;
  try {
    const fetch = createUpstreamFetch(options)(claimed, claimed.created_by);
    if (claimed.transport === A2A) {
      const { tool, signature } = await readAgentCard(claimed, { fetch, fetchKeys: options.fetch }, signal);
      return { tools: [tool], generations: [], signature };
    }
    const openV2025 = (opening: McpLimits) =>
      withMcpClient(fetch, claimed.url, { ...opening, generation: 'v2025' }, signal, () => Promise.resolve());
    return await withMcpClient(fetch, claimed.url, limits, signal, async (client, scope) => ({
      tools: await readTools(client, scope),
      generations: await findGenerations(client, claimed.generations, openV2025),
    }));
  } catch (cause) {
    return notConnectedIn(cause) ? 'not connected' : { cause };
  }
}

interface Current {
  project: string;
  status: string;
  tools_count: number;
  last_seen_at: Date | null;
  pin_tools: boolean;
  pinned_at: Date | null;
}

/** Stores the result, unless the server was changed after the probe started. In that case another probe is due. */
async function settle(tx: Tx, secrets: SecretBox, actor: Actor, claimed: Claimed, outcome: Outcome): Promise<void> {
  const [current] = await tx.$queryRaw<Current[]>`
    SELECT project, status, tools_count, last_seen_at, pin_tools, pinned_at FROM mcp_servers
     WHERE id = ${claimed.id}::uuid AND status <> 'inactive' AND url = ${claimed.url}
       AND headers::jsonb = ${JSON.stringify(claimed.headers)}::jsonb
       AND auth::jsonb = ${JSON.stringify(claimed.auth)}::jsonb AND require_signed_card = ${claimed.require_signed_card}
       AND card_jwks_url IS NOT DISTINCT FROM ${claimed.card_jwks_url} FOR UPDATE`;
  if (!current) return;
  const status = outcome !== 'not connected' && 'cause' in outcome ? 'unreachable' : 'active';
  const changes = await keep(tx, claimed.id, current, outcome);
  if (status === 'active') await reseal(tx, secrets, claimed);
  await moveCount(tx, { project: current.project, kind: 'mcp_servers', status: current.status }, status);
  if (status === current.status && changes.changed + changes.gone + changes.approved === 0) return;
  await recordDecision(tx, {
    actor,
    action: 'mcp_server.probe',
    resource: encodeId('ms', claimed.id),
    project: current.project,
    detail: { status, ...changes },
  });
}

async function keep(tx: Tx, id: string, current: Current, outcome: Outcome): Promise<ToolChanges> {
  if (outcome === 'not connected') await markWaiting(tx, id);
  else if ('tools' in outcome) return keepTools(tx, id, current, outcome);
  else await markUnreachable(tx, id, probeFaultOf(outcome.cause));
  return { changed: 0, gone: 0, approved: 0 };
}

/**
 * Stores the result of a probe that reached the server. The version increases only when the status or the tools have
 * changed, because clients notice changes by the version.
 */
async function keepTools(
  tx: Tx,
  id: string,
  current: Current,
  { tools, generations, signature }: Reached,
): Promise<ToolChanges> {
  const changes = await storeTools(tx, id, tools, current.pinned_at === null || !current.pin_tools);
  const available = await countAvailableTools(tx, id);
  const isChanged =
    current.status !== 'active' ||
    current.last_seen_at === null ||
    current.tools_count !== available ||
    changes.changed + changes.gone + changes.approved > 0;
  await tx.$executeRaw`
    UPDATE mcp_servers
        SET status = 'active', last_error = NULL, tools_count = ${available}, last_seen_at = now(),
            pinned_at = coalesce(pinned_at, now()), generations = ${generations}, card_signature = ${signature ?? null},
            probe_due_at = now() + ${EVERY}::interval, version = version + ${isChanged ? 1 : 0}
      WHERE id = ${id}::uuid`;
  return changes;
}

/**
 * Marks the server as active although it could not be probed: the user who registered it has no account connected. The tool list is
 * unknown, so the available tools stay the same.
 */
async function markWaiting(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mcp_servers
        SET status = 'active', last_error = NULL, probe_due_at = now() + ${EVERY}::interval,
            version = version + CASE WHEN status = 'active' THEN 0 ELSE 1 END
      WHERE id = ${id}::uuid`;
}

async function markUnreachable(tx: Tx, id: string, fault: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mcp_servers
        SET status = 'unreachable', last_error = ${fault}, probe_due_at = now() + ${EVERY}::interval,
            version = version + CASE WHEN status = 'unreachable' AND last_error = ${fault} THEN 0 ELSE 1 END
      WHERE id = ${id}::uuid`;
}

/**
 * Seals the secrets of a server again at each probe. After a rotation of the key, the secrets are then sealed under the
 * new key, and the old key can be removed.
 */
async function reseal(tx: Tx, secrets: SecretBox, { id, headers, auth }: Claimed): Promise<void> {
  const [resealed, resealedAuth] = [resealHeaders(secrets, id, headers), resealAuth(secrets, id, auth)];
  const data = { ...(resealed && { headers: resealed }), ...(resealedAuth && { auth: resealedAuth }) };
  if (resealed ?? resealedAuth) await tx.mcpServer.update({ where: { id }, data });
}
