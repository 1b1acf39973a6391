import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, type Tx } from '@millwright/db';
import { preferencesOf, type Reply } from '@millwright/http';
import { hasEnded } from '@millwright/runs';
import type { AcceptedRun } from './approvals/approvals.contract.js';
import type { ApprovalQueries } from './approvals/approvals.queries.store.js';
import { MOST_WAIT_S, type Run } from './runs.contract.js';
import type { RunQueries } from './runs.queries.store.js';
import type { RunRequest, StoredRun } from './run-request.js';
import type { RunService } from './runs.service.js';

export interface StartDeps {
  service: Pick<RunService, 'prepareRun' | 'storeRun' | 'runOn' | 'settle' | 'startRun' | 'executeRun' | 'parts'>;
  queries: Pick<RunQueries, 'read' | 'find'>;
}

export interface MessageDeps extends StartDeps {
  approvals: Pick<ApprovalQueries, 'listNeeded'>;
}

type Needs = Pick<AcceptedRun, 'approvals' | 'connections'>;
const NOTHING_NEEDED: Needs = { approvals: [], connections: [] };

type Commit = (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;

/** The answer to a request whose run still executes or waits. */
async function accepted(
  { queries }: StartDeps,
  tx: Tx,
  caller: Caller,
  runId: string,
  {
    headers = {},
    needs = NOTHING_NEEDED,
  }: { headers?: Readonly<Record<string, string>> | undefined; needs?: Needs } = {},
): Promise<Reply> {
  const run = await queries.read(tx, caller, runId);
  return { status: 202, body: { ...run, ...needs }, headers: { ...headers, Location: `/api/v1/runs/${run.id}` } };
}

/**
 * Builds the answer for a stored run that waits. It lists the missing decisions and accounts for which the run and its descendants wait.
 */
export async function acceptStored(deps: MessageDeps, caller: Caller, runId: string, commit: Commit): Promise<Reply> {
  const [approvals, connections] = await Promise.all([
    deps.approvals.listNeeded(caller, runId),
    deps.service.parts.runs.listConnections(runId),
  ]);
  const needs = {
    approvals,
    connections: connections.map(({ runId: run, server, name, url }) => ({
      ...{ run_id: encodeId('run', run), server_id: server, name, connect_url: url },
    })),
  };
  return commit((tx) => accepted(deps, tx, caller, runId, { needs }));
}

/** Starts a run in the transaction that stores the answer, and executes the run after the commit. A repeated request starts no run. */
export async function acceptRun(
  deps: StartDeps,
  request: RunRequest,
  commit: Commit,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { service } = deps;
  return service.parts.worker.withPlaces(1, async (places) => {
    // The check runs before the transaction, because a refusal is audited in a separate transaction. Its failure is thrown only when the
    // run is stored, because a repeated request gets its stored answer even when the check fails now.
    const preparing = service.prepareRun(request);
    preparing.catch(() => undefined);
    let stored: StoredRun | undefined;
    const reply = await commit(async (tx) => {
      stored = await service.storeRun(tx, await preparing, places);
      return accepted(deps, tx, request.caller, stored.id, { headers });
    });
    if (stored) service.runOn(stored);
    return reply;
  });
}

/** Waits for the run for as long as the client prefers (RFC 7240 §4.3). */
export async function waitAsPreferred(
  { service, queries }: StartDeps,
  caller: Caller,
  reply: Reply,
  { prefer, signal }: { prefer?: string | undefined; signal: AbortSignal },
): Promise<Reply> {
  const { wait = 0 } = preferencesOf(prefer);
  const seconds = Math.min(wait, MOST_WAIT_S);
  const { id } = reply.body as Run;
  if (seconds === 0) return reply;
  await service.settle(decodeId('run', id) ?? '', AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]));
  const run = await queries.find(caller, id);
  const isSettled = hasEnded(run.state) || run.state === 'waiting';
  const headers = { ...reply.headers, 'Preference-Applied': `wait=${seconds}` };
  return { status: isSettled ? 200 : 202, body: run, headers };
}
