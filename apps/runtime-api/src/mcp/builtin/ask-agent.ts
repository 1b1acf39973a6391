import { callerOf, type Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Budget, RateLimiter } from '@millwright/rate-limit';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { findAgentOrDeleted, requireAgent } from '../../agents/find-agent.js';
import type { AgentMessage } from '../../conversations/agent-message.js';
import { NewMessage } from '../../conversations/new-message.js';
import type { PendingCall } from '@millwright/runs/approvals';
import { requireMayApprove, type PreparedDecision } from '@millwright/runs/approvals';
import type { ApprovalService } from '../../runs/approvals/decide-approval.js';
import { findOwnRun } from '../../runs/runs.queries.store.js';
import type { RunService } from '../../runs/runs.service.js';
import { JsonRpcRefusal } from '@millwright/mcp/json-rpc';
import { failure, textResult, type ToolCallContext } from '../endpoint/mcp-call.js';
import { objectOrEmpty } from '../endpoint/v2026-terms.js';
import { approvalForm, decisionIn, SHOWN_CHARACTERS } from '../relay/input-requests.js';

/** Approval forms for the client's user, by the id of the approval. */
type InputRequests = Readonly<Record<string, ReturnType<typeof approvalForm>>>;

export interface AskAgentDeps {
  db: Database;
  runService: Pick<RunService, 'startRun' | 'executeRun' | 'awaitRun' | 'parts'>;
  approvals: Pick<ApprovalService, 'listPending' | 'prepare' | 'decide'>;
  /** URL of the page where people decide about tool calls. */
  inboxUrl: string;
  limiter: RateLimiter;
  /** The rate limit of messages to agents. Each message also counts towards the rate limit of requests. */
  messages: Budget;
}

/** Maximum number of input requests in one round. */
const MOST_AT_ONCE = 16;
/** Limit of the rounds on the stream of one call. */
const MOST_ROUNDS = 10;

interface AgentRun {
  /** Row id of the run. */
  id: string;
  agent: RunnableAgent;
}

/** The answer of a run; undefined while the run waits for a person. */
type Settled = AgentMessage | undefined;

/**
 * The tool `ask_<agent>`. While calls of the agent's tools wait for approval, the client's user can decide in the client, if the client
 * supports input requests. Otherwise, and when the run waits for something else, the result names the pages on which the user connects an
 * account or decides about a call. No process needs to keep a waiting run in memory, because the client's repeated call names the run.
 * Decisions follow the same rules as decisions in the inbox.
 */
export function createAskAgent({ db, runService, approvals, inboxUrl, limiter, messages }: AskAgentDeps) {
  const onWaiting = () => Promise.resolve(undefined);

  async function start(
    caller: Caller,
    agent: RunnableAgent,
    args: unknown,
  ): Promise<{ run: AgentRun; settled: Settled }> {
    const { content, context_id: contextId } = NewMessage.parse(args);
    const run = await runService.startRun({ caller, agent, content, contextId, channel: 'mcp' });
    const settled = await runService.executeRun<Settled>(run, { onWaiting }, (store) => db.transaction(store));
    return { run: { id: run.id, agent }, settled };
  }

  /** Returns the run that a repeated call continues. @throws ProtocolError -32602 when another user or another channel started the run */
  async function continued(caller: Caller, slug: string, state: unknown): Promise<AgentRun> {
    const id = typeof state === 'string' ? decodeId('run', state) : undefined;
    const agent = await findAgentOrDeleted(db, caller.project, slug);
    if (agent && id !== undefined && (await findOwnRun(db, caller, agent.slug, id))) return { id, agent };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState is not of a call of this tool');
  }

  const awaitRun = (run: AgentRun, signal: AbortSignal) =>
    runService.awaitRun<Settled>(run, { onWaiting, signal }, (store) => db.transaction(store));

  /** Returns the calls that the client's user can decide by forms; undefined when the user can decide only in the inbox. */
  async function askable(caller: Caller, run: AgentRun): Promise<PendingCall[] | undefined> {
    if (caller.scopes?.has('runs:approve') !== true) return undefined;
    const pending = await approvals.listPending(run.id);
    const isShown = pending.every(
      ({ needsOtherDecider, arguments: args }) => !needsOtherDecider && args.length <= SHOWN_CHARACTERS,
    );
    return pending.length > 0 && pending.length <= MOST_AT_ONCE && isShown ? pending : undefined;
  }

  /** Stores the decisions in the responses. @returns whether the responses contained a decision for every call that still waits */
  async function decide(caller: Caller, run: AgentRun, responses: Readonly<Record<string, unknown>>): Promise<boolean> {
    const pending = await approvals.listPending(run.id);
    const prepared: PreparedDecision[] = [];
    for (const { id, runId } of pending) {
      const approval = encodeId('apr', id);
      const decision = decisionIn(responses[approval]);
      if (decision) prepared.push(await approvals.prepare(caller, encodeId('run', runId), approval, { decision }));
    }
    if (prepared.length === 0) return pending.length === 0;
    await requireMayApprove(db, caller, encodeId('run', run.id));
    const decided = await db.transaction(async (tx) => {
      const made = [];
      for (const decision of prepared) made.push(await approvals.decide(tx, caller, decision));
      return made;
    });
    for (const { after } of decided) after();
    return prepared.length === pending.length;
  }

  const requestsOf = ({ agent }: AgentRun, calls: readonly PendingCall[]): InputRequests =>
    Object.fromEntries(
      calls.map(({ id, tool, arguments: args }) => [
        encodeId('apr', id),
        approvalForm(`Make this call? The agent ${agent.name} asks for the tool ${tool}, with ${args}`),
      ]),
    );

  async function waits({ id }: AgentRun): Promise<CallToolResult> {
    const connections = await runService.parts.runs.listConnections(id);
    const pending = connections.length > 0 ? await approvals.listPending(id) : [];
    const ways = [
      ...connections.map(({ name, url }) => `Connect an account to ${name}: ${url}`),
      ...(connections.length > 0 && pending.length === 0 ? [] : [`Decide in the inbox, ${inboxUrl}`]),
    ];
    return failure(
      `The agent waits for a person: run ${encodeId('run', id)}. ${ways.join('. ')}; the run goes on then.`,
    );
  }

  const answered = (message: AgentMessage): CallToolResult => ({
    ...textResult(message.content),
    structuredContent: { ...message },
  });

  return async (
    context: ToolCallContext,
    slug: string,
    args: unknown,
  ): Promise<CallToolResult | InputRequiredResult> => {
    const { principal, from, signal, input } = context;
    const caller = callerOf(principal, from);
    let run: AgentRun;
    let settled: Settled;
    if (input?.by === 'result' && input.requestState !== undefined) {
      run = await continued(caller, slug, input.requestState);
      const isDecided = await decide(caller, run, objectOrEmpty(input.inputResponses)).catch(unlessDecidedElsewhere);
      if (!isDecided) return waits(run);
      settled = await awaitRun(run, signal);
    } else {
      const agent = await requireAgent(db, principal.project, slug);
      const { admitted } = await limiter.consume(messages, principal.credential.id);
      if (!admitted) return failure('Too many messages. Wait until the next minute.');
      ({ run, settled } = await start(caller, agent, args));
    }
    for (let round = 0; !settled; round += 1) {
      const calls = input && round < MOST_ROUNDS ? await askable(caller, run) : undefined;
      if (!calls || !input) return waits(run);
      const inputRequests = requestsOf(run, calls);
      if (input.by === 'result')
        return { resultType: 'input_required', inputRequests, requestState: encodeId('run', run.id) };
      const responses = await input.ask(inputRequests).catch(unlessUnanswered);
      if (!responses || !(await decide(caller, run, responses).catch(unlessDecidedElsewhere))) return waits(run);
      settled = await awaitRun(run, signal);
    }
    return answered(settled);
  };
}
export type AskAgent = ReturnType<typeof createAskAgent>;

/**
 * Returns true for a `conflict`: another person has decided first, and the run continues with that decision. Throws every other error
 * again.
 */
function unlessDecidedElsewhere(error: unknown): boolean {
  if (error instanceof AppError && error.code === 'conflict') return true;
  throw error;
}

/**
 * Returns undefined when the user did not answer, or the client refused the input request. The user can then decide in the inbox. Throws
 * every other error again.
 */
function unlessUnanswered(error: unknown): undefined {
  if (!(error instanceof JsonRpcRefusal)) throw error;
}
