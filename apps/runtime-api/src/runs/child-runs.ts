import { recordDecision, recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { actorsOf, ACTORS_MAX } from '@millwright/auth/actors';
import { encodeId, type Database, type Tx } from '@millwright/db';
import { AppError, catalogue } from '@millwright/errors';
import type { Work } from '@millwright/http/process';
import { hasEnded, runError, RunLost, RunWaits, type Fence, type RunStore } from '@millwright/runs';
import { findAgent } from '../agents/find-agent.js';
import type { ContextStore } from '../conversations/contexts.store.js';
import type { AgentMessage } from '../conversations/agent-message.js';
import type { AgentCall, CallAgent } from '../tools/call-agent.js';
import { AGENT, isTainted } from '../tools/taint.js';
import { because, failed, refused, type ToolResult } from '../tools/tool.js';
import type { RunWorker } from './run-worker.js';
import type {
  AwaitedRun,
  Commit,
  ExecuteOptions,
  PreparedRun,
  RunRequest,
  StartedRun,
  StoredRun,
} from './run-request.js';

/** The run whose agent calls other agents. */
export interface ParentRun {
  fence: Fence;
  caller: Caller;
  depth: number;
}

export interface ChildRunDeps {
  db: Database;
  runs: Pick<RunStore, 'findChild' | 'listAgentsAbove' | 'status'>;
  contexts: Pick<ContextStore, 'isUntrusted'>;
  worker: Pick<RunWorker, 'withPlaces'>;
  work: Work;
  /** Maximum number of ancestors of a run. */
  mostDepth: number;
  prepareRun: (request: RunRequest) => Promise<PreparedRun>;
  storeRun: (tx: Tx, prepared: PreparedRun) => Promise<StoredRun>;
  claimRun: (stored: StoredRun) => StartedRun;
  executeRun: <Result>(run: StartedRun, options: ExecuteOptions<Result>, commit: Commit<Result>) => Promise<Result>;
  /** Waits for a run that any process executes. */
  awaitRun: <Result>(run: AwaitedRun, options: ExecuteOptions<Result>, commit: Commit<Result>) => Promise<Result>;
}

type Answer = { text: string; isUntrusted: boolean } | 'waits';

/** The run that a call has started, with the function that returns the run's answer. */
interface ChildRun {
  id: string;
  answer: (options: ExecuteOptions<Answer>, commit: Commit<Answer>) => Promise<Answer>;
}

const CHAIN_FULL = failed(
  `A chain of agents and clients that act for each other may have ${ACTORS_MAX} of them at most.`,
);
const CYCLE = failed('This agent is at work above already: agents may not call each other in a circle.');
const INACTIVE = failed('The agent is inactive.');
const STOPPED = failed('The agent is stopped.');
const GONE = failed('The agent does not exist any more.');
const CANCELED = failed('The run of the agent was canceled.');
const FAILED = failed('The agent failed.');

/** Errors of the start of a run that become a refusal of the call, which the model reads. */
const REFUSALS: ReadonlySet<string> = new Set([
  'agent_stopped',
  'validation_error',
  'quota_exceeded',
  'quota_too_small',
]);

/** Starts runs for calls from an agent to other agents. When the parent run ends, its child runs end too. */
export function createChildRuns(deps: ChildRunDeps) {
  const { db, runs, contexts, worker, work, mostDepth } = deps;
  const tooDeep = failed(`Agents may call each other ${mostDepth} levels deep at most.`);

  async function refusalOf(
    { fence, caller, depth }: ParentRun,
    { callee }: AgentCall,
  ): Promise<ToolResult | undefined> {
    if (depth >= mostDepth) return tooDeep;
    if (actorsOf(caller.delegation?.act).length + depth + 2 > ACTORS_MAX) return CHAIN_FULL;
    if ((await runs.listAgentsAbove(fence.runId)).includes(callee.id)) return CYCLE;
    const agent = await findAgent(db, caller.project, callee.slug);
    if (agent?.id !== callee.id) return GONE;
    if (agent.is_stopped) return STOPPED;
    return agent.status === 'active' ? undefined : INACTIVE;
  }

  async function requestOf({ caller, depth }: ParentRun, { callee, message, run }: AgentCall): Promise<RunRequest> {
    const agent = await findAgent(db, caller.project, callee.slug);
    if (!agent) throw new AppError('not_found');
    const content = { content: message, source: isTainted(run) ? AGENT : undefined, contextId: undefined };
    return { caller, agent, ...content, channel: 'agent', depth: depth + 1 };
  }

  /** Stores the started call, the audit row of the call, and its run in one transaction. */
  async function start(parent: ParentRun, call: AgentCall): Promise<ChildRun | ToolResult> {
    const refusal = await refusalOf(parent, call);
    if (refusal) return refuse(call, refusal, 'The agent cannot be called.');
    try {
      const prepared = await deps.prepareRun(await requestOf(parent, call));
      call.sent.requireLease();
      const stored = await db.transaction(async (tx) => {
        await recordDecision(tx, call.entry);
        const step = await call.keep(tx);
        return deps.storeRun(tx, { ...prepared, parent: { id: parent.fence.runId, step } });
      });
      const child = deps.claimRun(stored);
      return { id: child.id, answer: (options, commit) => deps.executeRun(child, options, commit) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return refuse(call, GONE, 'The agent was deleted.');
      if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error;
      const text = error.fields[0]?.reason ?? catalogue[error.code].message;
      return refuse(call, failed(`The agent cannot be called: ${text}`), text);
    }
  }

  /** Audits the refusal of a call, in the same way as for other tools. */
  async function refuse({ entry }: AgentCall, result: ToolResult, reason: string): Promise<ToolResult> {
    await recordDenial(db, entry, reason);
    return refused(result, reason);
  }

  /** Finds the run of a call that an earlier process started, even when its agent was deleted or stopped. */
  async function find(parent: ParentRun, call: AgentCall, step: number): Promise<ChildRun | ToolResult> {
    const child = await runs.findChild(parent.fence.runId, step);
    if (!child?.contextId) return GONE;
    await db.transaction((tx) => call.keep(tx));
    const { id, agent: slug } = child;
    return { id, answer: (options, commit) => deps.awaitRun({ id, agent: { slug } }, options, commit) };
  }

  /** Executes the run of a call, or waits for its answer when another process executes it. */
  async function answerOf(child: ChildRun, signal: AbortSignal | undefined): Promise<Answer> {
    const commit = (store: (tx: Tx) => Promise<AgentMessage>): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { id, content: text } = await store(tx);
        return { text, isUntrusted: await contexts.isUntrusted(tx, id) };
      });
    const executed = child.answer({ isStreamed: true, onWaiting: () => Promise.resolve('waits'), signal }, commit);
    // The child run continues even when this process loses the parent run and nothing awaits the answer here.
    void work.track(executed.catch(() => undefined));
    return signal ? Promise.race([executed, aborted(signal)]) : executed;
  }

  async function callOnce(parent: ParentRun, call: AgentCall): Promise<ToolResult> {
    const { sent } = call;
    const child = sent.begunStep === undefined ? await start(parent, call) : await find(parent, call, sent.begunStep);
    if ('ok' in child) return child;
    const run = encodeId('run', child.id);
    try {
      const answer = await answerOf(child, sent.signal);
      if (answer === 'waits') throw new RunWaits('child', { run });
      return { ok: true, content: answer.text, untrusted: answer.isUntrusted };
    } catch (error) {
      sent.signal?.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      // When this process could not store the end of the child run, another process continues that run. The answer is then not available
      // yet.
      const status = await runs.status(child.id);
      if (status && !hasEnded(status.state)) throw new RunLost();
      const { code, text } = runError(error);
      return because(code === 'conflict' ? CANCELED : FAILED, code, text);
    }
  }

  /**
   * Returns the function with which a run calls agents. The first call uses the place of the calling run. Each further concurrent call uses
   * a free place, if there is one. Otherwise it waits, and uses the place of the calling run after the earlier calls.
   */
  return (parent: ParentRun): CallAgent => {
    let inTurn: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    const afterOthers = async (call: AgentCall): Promise<ToolResult> => {
      waiting += 1;
      const result = inTurn.then(() => callOnce(parent, call));
      inTurn = result.catch(() => undefined);
      try {
        return await result;
      } finally {
        waiting -= 1;
      }
    };
    return (call) =>
      waiting === 0
        ? afterOthers(call)
        : worker.withPlaces(1, (places) => (places === 0 ? afterOthers(call) : callOnce(parent, call)));
  };
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
