import { recordDecision, type Actor } from '@millwright/audit';
import { encodeId, moveCount, type Database, type Tx } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import type { SecretBox } from '../secret-box.js';
import { resealAuth, type SealedAuth } from './auth.js';
import { resealHeaders, type SealedHeaders } from './headers.js';
import { readTools, type McpToolDefinition } from './tool-list.js';
import { countOffered, storeTools, type ToolChanges } from './tools.store.js';
import { createUpstreamFetch, notConnectedIn } from './upstream-fetch.js';
import { withMcpClient, type McpLimits } from './upstream.js';

export interface McpDeps {
  db: Database;
  /** Of egress. */
  fetch: EgressFetch;
  secrets: SecretBox;
}

export interface RefreshOptions extends McpDeps {
  limits?: McpLimits;
  /** What a probe's outcome is kept in: a job's step, so that it ends with the job's run. Default: a transaction of `db`. */
  transaction?: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Ends probes under way without a verdict; they are due again at once. */
  signal?: AbortSignal;
  /** Told why a server is unreachable, for logs: the cause may name addresses. */
  onUnreachable?: (serverId: string, cause: unknown) => void;
}

const PROBE_LIMITS: McpLimits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 };

/** A probe that has not ended after this died with its process, and another may be made. */
const LEASE = '60 seconds';
const EVERY = '5 minutes';
const AT_ONCE = 8;

interface Claimed {
  id: string;
  url: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  /** Whose account is used where the server asks for one. */
  created_by: string;
}

/** What a probe saw: the tools, or why there were none, or that whoever registered the server has to connect an account first. */
type Seen = { tools: McpToolDefinition[] } | { cause: unknown } | 'not connected';

/**
 * Probes every server whose probe is due, whoever made it due: the last probe, five minutes ago, a change, a process that died
 * while it probed. Replicas share the work. Resolves to how many were probed.
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

/** Probes one server (UUID) now. `false` when it is inactive or gone. */
export async function refreshMcpServer(options: RefreshOptions, actor: Actor, serverUuid: string): Promise<boolean> {
  const claimed = await claimOne(options.db, serverUuid);
  if (!claimed) return false;
  await probe(options, actor, claimed);
  return true;
}

/** The server that is due for longest and that no other replica is taking. */
async function claimDue(db: Database): Promise<Claimed | undefined> {
  const [claimed] = await db.prisma.$queryRawUnsafe<Claimed[]>(
    `UPDATE mcp_servers SET probe_due_at = now() + interval '${LEASE}'
      WHERE id = (SELECT id FROM mcp_servers WHERE probe_due_at <= now() AND status <> 'inactive'
                   ORDER BY probe_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, url, headers, auth, created_by`,
  );
  return claimed;
}

async function claimOne(db: Database, serverUuid: string): Promise<Claimed | undefined> {
  const [claimed] = await db.prisma.$queryRawUnsafe<Claimed[]>(
    `UPDATE mcp_servers SET probe_due_at = now() + interval '${LEASE}'
      WHERE id = $1::uuid AND status <> 'inactive' RETURNING id, url, headers, auth, created_by`,
    serverUuid,
  );
  return claimed;
}

async function probe(options: RefreshOptions, actor: Actor, claimed: Claimed): Promise<void> {
  const seen = await look(options, claimed);
  if (options.signal?.aborted) {
    await options.db.prisma.$executeRaw`UPDATE mcp_servers SET probe_due_at = now() WHERE id = ${claimed.id}::uuid`;
    return;
  }
  if (seen !== 'not connected' && 'cause' in seen) options.onUnreachable?.(encodeId('ms', claimed.id), seen.cause);
  const keepSeen = (tx: Tx) => settle(tx, options.secrets, actor, claimed, seen);
  await (options.transaction ? options.transaction(keepSeen) : options.db.transaction(keepSeen));
}

async function look(options: RefreshOptions, claimed: Claimed): Promise<Seen> {
  const { signal, limits = PROBE_LIMITS } = options;
  try {
    const fetch = createUpstreamFetch(options)(claimed, claimed.created_by);
    return { tools: await withMcpClient(fetch, claimed.url, limits, signal, readTools) };
  } catch (cause) {
    return notConnectedIn(cause) ? 'not connected' : { cause };
  }
}

interface Current {
  project: string;
  status: string;
  pin_tools: boolean;
  pinned_at: Date | null;
}

/** What was seen holds for the server as it was then: one that was changed meanwhile has a probe of its own due. */
async function settle(tx: Tx, secrets: SecretBox, actor: Actor, claimed: Claimed, seen: Seen): Promise<void> {
  const [current] = await tx.$queryRaw<Current[]>`
    SELECT project, status, pin_tools, pinned_at FROM mcp_servers
     WHERE id = ${claimed.id}::uuid AND status <> 'inactive' AND url = ${claimed.url}
       AND headers::jsonb = ${JSON.stringify(claimed.headers)}::jsonb
       AND auth::jsonb = ${JSON.stringify(claimed.auth)}::jsonb FOR UPDATE`;
  if (!current) return;
  const status = seen !== 'not connected' && 'cause' in seen ? 'unreachable' : 'active';
  const changes = await keep(tx, claimed.id, current, seen);
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

async function keep(tx: Tx, id: string, current: Current, seen: Seen): Promise<ToolChanges> {
  if (seen === 'not connected') await markWaiting(tx, id);
  else if ('tools' in seen) return keepTools(tx, id, current, seen.tools);
  else await markUnreachable(tx, id);
  return { changed: 0, gone: 0, approved: 0 };
}

async function keepTools(tx: Tx, id: string, current: Current, tools: McpToolDefinition[]): Promise<ToolChanges> {
  const changes = await storeTools(tx, id, tools, current.pinned_at === null || !current.pin_tools);
  const offered = await countOffered(tx, id);
  await tx.$executeRawUnsafe(
    `UPDATE mcp_servers
        SET status = 'active', tools_count = $2, last_seen_at = now(), pinned_at = coalesce(pinned_at, now()),
            probe_due_at = now() + interval '${EVERY}', version = version + 1
      WHERE id = $1::uuid`,
    id,
    offered,
  );
  return changes;
}

/** It can be reached, by those who connect. What it lists is not known, so what is on offer stays. */
async function markWaiting(tx: Tx, id: string): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE mcp_servers
        SET status = 'active', probe_due_at = now() + interval '${EVERY}',
            version = version + CASE WHEN status = 'active' THEN 0 ELSE 1 END
      WHERE id = $1::uuid`,
    id,
  );
}

async function markUnreachable(tx: Tx, id: string): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE mcp_servers
        SET status = 'unreachable', probe_due_at = now() + interval '${EVERY}',
            version = version + CASE WHEN status = 'unreachable' THEN 0 ELSE 1 END
      WHERE id = $1::uuid`,
    id,
  );
}

/** After a rotation, each probe brings the secrets of its server under the new key, so that the old one can go. */
async function reseal(tx: Tx, secrets: SecretBox, { id, headers, auth }: Claimed): Promise<void> {
  const [resealed, resealedAuth] = [resealHeaders(secrets, id, headers), resealAuth(secrets, id, auth)];
  const data = { ...(resealed && { headers: resealed }), ...(resealedAuth && { auth: resealedAuth }) };
  if (resealed ?? resealedAuth) await tx.mcpServer.update({ where: { id }, data });
}
