import { recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { ToolRule } from '@millwright/auth/tool-rules';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { isJsonObject } from '@millwright/json';
import { agentDetail } from '@millwright/mcp';
import { HopRefused, requireLiveHop } from '@millwright/mcp/agent-hops';
import type { ModelToolCall } from '@millwright/models';
import type { ModelTools } from './model-tools.js';
import { isTainted, type RunTaint } from './taint.js';
import { because, failed, refused, type AgentTool, type CallDecision, type SentCall, type ToolResult } from './tool.js';

const ARGUMENTS_MAX_CHARACTERS = 64 * 1024;

/**
 * Calls one tool for the accountable user. The audit row is written before anything is sent, so that no call lacks an audit row. The
 * arguments are stored in the conversation, but not in the audit log. In a tainted run, the audit row names the sources of the taint.
 */
export async function callTool(
  db: Database,
  caller: Caller,
  agent: RunnableAgent,
  tools: ModelTools,
  call: ModelToolCall,
  run: RunTaint,
  sent: SentCall,
): Promise<ToolResult> {
  const tool = tools.find(call.name, sent.begunStep !== undefined);
  if (!tool) {
    await recordDenial(db, unavailableEntry(caller, agent, call.name, run, sent), 'the tool is not available');
    return refused(failed('There is no tool of that name.'), 'The agent has no tool of that name.');
  }
  const checked = await checkCall(tool, call);
  const entry = entryOf(caller, agent, tool, call.name, run, sent);
  if ('fault' in checked) {
    await recordDenial(db, entry, 'the arguments are not valid');
    return because(checked.fault, 'validation_error', 'The arguments are not valid.');
  }
  const refusal = refusalOf(tool.rule.in(run), sent);
  if (refusal) {
    await recordDenial(db, entry, refusal.reason);
    return refused(refusal.result, toSentence(refusal.reason));
  }
  const ended = await endedHop(db, sent);
  if (ended !== undefined) {
    await recordDenial(db, entry, 'the user, the agent or the credential is not active any more');
    return refused(failed('The tool may not be called for this user any more.'), ended);
  }
  if (!tool.recordsItself) {
    await db.transaction(async (tx) => {
      await recordDecision(tx, entry);
      await sent.keep(tx, tool);
    });
  }
  return tool.call(checked.args, run, sent);
}

/** Why the run may make no further call. Undefined while its user, its agents and its credential are active. */
async function endedHop(db: Database, { runId }: Pick<SentCall, 'runId'>): Promise<string | undefined> {
  try {
    await requireLiveHop(db, { runId });
    return undefined;
  } catch (error) {
    if (error instanceof HopRefused) return error.message;
    throw error;
  }
}

/** Returns the arguments of a call, or the reason why they may not be sent. */
export async function checkCall(
  tool: AgentTool,
  call: Pick<ModelToolCall, 'arguments'>,
): Promise<{ args: Readonly<Record<string, unknown>> } | { fault: ToolResult }> {
  const args = parseArguments(call.arguments);
  if (!args) return { fault: failed('The arguments are not a JSON object.') };
  const fault = await tool.check(args);
  return fault ? { fault } : { args };
}

/**
 * Why a call is not made. A call whose rule is `ask` needs a decision, unless an earlier process has already started the call after a
 * decision.
 */
function refusalOf(rule: ToolRule, { decision, begunStep }: SentCall): CallDecision['refusal'] {
  if (rule === 'deny')
    return {
      result: failed('The rule of this tool refuses its calls.'),
      reason: 'the rule of the tool refuses its calls',
    };
  if (decision) return decision.refusal;
  if (rule === 'allow' || begunStep !== undefined) return undefined;
  return { result: failed('Nobody has approved this call. It was not made.'), reason: 'nobody has approved the call' };
}

const toSentence = (reason: string) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;

/** Returns the sources of the run's taint, as the details of an audit row name them. */
export const taintDetail = (run: RunTaint) => (isTainted(run) ? { tainted_by: [...run.taintedBy] } : {});

/** Builds the audit row of a call. */
export const entryOf = (
  { project, actor }: Caller,
  agent: RunnableAgent,
  tool: AgentTool,
  name: string,
  run: RunTaint,
  { runId, decision }: SentCall,
): AuditEntry => ({
  actor: { ...actor, kind: 'mcp', label: tool.owner.name },
  action: 'tool.call',
  resource: tool.owner.id,
  project,
  detail: {
    ...{ tool: name, ...agentDetail(agent), run: runId, ...taintDetail(run) },
    ...(decision && { approval: decision.approval }),
  },
});

/** The audit row of a call whose tool does not exist or may not be used. */
const unavailableEntry = (
  { project, actor }: Caller,
  agent: RunnableAgent,
  name: string,
  run: RunTaint,
  { runId }: SentCall,
): AuditEntry => ({
  actor,
  action: 'tool.call',
  resource: encodeId('ag', agent.id),
  project,
  detail: { tool: name.slice(0, 200), ...agentDetail(agent), run: runId, ...taintDetail(run) },
});

function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > ARGUMENTS_MAX_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
