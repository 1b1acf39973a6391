import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId } from '@millwright/db';
import type { ModelToolCall } from '@millwright/models';
import { RunLost, RunWaits, type Fence } from '@millwright/runs';
import { checkCall } from '../../tools/call-tool.js';
import type { ModelTools } from '../../tools/model-tools.js';
import type { RunTaint } from '../../tools/taint.js';
import { failed, type AgentTool, type CallDecision, type ToolResult } from '../../tools/tool.js';
import type { KeptAnswer } from '../run-journal.js';
import {
  callHash,
  toolHash,
  type ApprovalStore,
  type CallApproval,
  type NewApproval,
} from '@millwright/runs/approvals';

/** The run whose model requests the tool calls. */
export interface AskingRun {
  fence: Fence;
  caller: Caller;
  agent: RunnableAgent;
  tools: ModelTools;
  taint: RunTaint;
}

export type CallDecisions = ReadonlyMap<string, CallDecision>;

/** The data that an earlier process stored about the model's answer. */
export interface AskedBefore {
  /** Whether the call has already been started. */
  isKept: (call: ModelToolCall) => boolean;
  /**
   * Whether an earlier process may have requested approvals for the answer. Their decisions are then read even when no rule is `ask` any
   * more, because a refusal stays valid after a change of the rule.
   */
  isContinued: boolean;
}

export const NO_DECISIONS: CallDecisions = new Map();

const EXPIRED = 'Nobody decided about this call in time. It was not made.';
const TOO_LATE =
  'A person approved this call, but the approval expired before the call could be made. It was not made.';
const CHANGED = 'The tool or the agent has changed since the decision. The call was not made.';
const REFUSED = 'A person refused this call. It was not made.';

/**
 * Finds the decisions about the calls of a model's answer before any of the calls is made. Calls without the rule `ask`
 * need no query.
 */
export function createApprovalGate(store: ApprovalStore) {
  /** Returns the decisions by the id of the call. @throws RunWaits while a decision is missing */
  return async (
    run: AskingRun,
    { seq, calls }: KeptAnswer,
    { isKept, isContinued }: AskedBefore,
  ): Promise<CallDecisions> => {
    const { fence, caller, agent, tools, taint } = run;
    const decided = new Map(
      isContinued ? (await store.listOfAnswer(fence.runId, seq)).map((found) => [found.callId, found]) : [],
    );
    const asking: { call: ModelToolCall; tool: AgentTool }[] = [];
    for (const call of calls) {
      const tool = tools.find(call.name);
      if (!tool || isKept(call)) continue;
      if (tool.rule.in(taint) !== 'ask' && !decided.has(call.id)) continue;
      // A call that fails its checks needs no approval.
      if ('args' in (await checkCall(tool, call))) asking.push({ call, tool });
    }
    if (asking.length === 0) return NO_DECISIONS;
    const hashOf = ({ owner, definitionHash }: AgentTool, { name }: ModelToolCall) =>
      toolHash({ runId: fence.runId, agent, owner: owner.id, tool: name, definitionHash });
    const missing = asking.filter(({ call }) => !decided.has(call.id));
    const pending = [...decided.values()].filter(({ state }) => state === 'pending');
    if (missing.length > 0 || pending.length > 0) {
      const asked = missing.map(({ call, tool }): NewApproval => ({
        ...{ project: caller.project, runId: fence.runId, askedBy: seq, callId: call.id, userId: caller.actor.userId },
        ...{ agent, owner: tool.owner, tool: call.name, parameters: tool.parameters, arguments: call.arguments },
        ...{ toolHash: hashOf(tool, call), taintedBy: taint.taintedBy, needsOtherDecider: tool.rule.needsOtherDecider },
      }));
      const tools = asking.map(({ call }) => ({ call_id: call.id, tool: call.name }));
      throw new RunWaits('approval', { calls: tools }, (tx) => store.request(tx, asked));
    }
    const toDecision = (call: ModelToolCall, tool: AgentTool, found: CallApproval): CallDecision => {
      const made = { ...call, arguments: found.editedArguments ?? call.arguments };
      const refusal = refusalOf(found, callHash(hashOf(tool, call), made.arguments));
      return {
        ...{ approval: encodeId('apr', found.id), call: made, isEdited: found.editedArguments !== null, refusal },
        use: async (tx) => {
          if (!(await store.use(tx, found.id, found.hash))) throw new RunLost();
        },
      };
    };
    return new Map(
      asking.flatMap(({ call, tool }) => {
        const found = decided.get(call.id);
        return found ? [[call.id, toDecision(call, tool, found)] as const] : [];
      }),
    );
  };
}
export type ApprovalGate = ReturnType<typeof createApprovalGate>;

function refusalOf({ state, reason, hash, isPast }: CallApproval, present: Buffer): CallDecision['refusal'] {
  if (state === 'refused')
    return { result: failed(REFUSED, reason === null ? {} : { reason }), reason: 'a person refused the call' };
  if (state === 'approved' && isPast)
    return { result: failed(TOO_LATE), reason: 'the approval expired before the call could be made' };
  if (state === 'expired' || isPast) return { result: failed(EXPIRED), reason: 'nobody approved the call in time' };
  if (state !== 'approved' || !Buffer.from(hash).equals(present))
    return { result: failed(CHANGED), reason: 'the approval is for another call' };
  return undefined;
}

/** Adds to the result of a call that a person changed the arguments of the call, so that the model reads about the change. */
export const noteEdit = (result: ToolResult, made: Pick<ModelToolCall, 'arguments'>): ToolResult => ({
  ...result,
  content: `A person changed the arguments of this call to ${made.arguments}. ${result.content}`,
});
