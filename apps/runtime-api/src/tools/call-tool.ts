import { recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { isJsonObject } from '@millwright/json';
import type { ModelToolCall } from '@millwright/models';
import type { ModelTools } from './model-tools.js';
import { isTainted, type RunTaint } from './taint.js';
import { because, failed, refused, type AgentTool, type SentCall, type ToolResult } from './tool.js';

const ARGUMENTS_MAX_CHARACTERS = 64 * 1024;

/**
 * Calls one tool for the user who is accountable. The call is recorded before anything is sent: without the audit entry there is no
 * call. The arguments are kept in the conversation, not in the audit log. The entry of a call in a tainted run names what tainted it.
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
  const tool = tools.find(call.name);
  if (!tool) {
    await recordDenial(db, unavailableEntry(caller, agent, call.name, run, sent), 'the tool is not on offer');
    return refused(failed('There is no tool of that name.'), 'The agent has no tool of that name.');
  }
  const args = parseArguments(call.arguments);
  const fault = args ? await tool.check(args) : failed('The arguments are not a JSON object.');
  const entry = entryOf(caller, agent, tool, call.name, run, sent);
  if (!args || fault) {
    await recordDenial(db, entry, 'the arguments are not valid');
    const result = fault ?? failed('The arguments are not a JSON object.');
    return because(result, 'validation_error', 'The arguments are not valid.');
  }
  const rule = tool.rule.in(run);
  if (rule === 'deny') {
    await recordDenial(db, entry, 'the rule of the tool refuses its calls');
    return refused(failed('The rule of this tool refuses its calls.'), 'The rule of the tool refuses its calls.');
  }
  if (rule === 'ask') {
    await recordDenial(db, entry, 'the call needs the consent of a person');
    const result = failed('The call needs the consent of a person, which agents cannot ask for.');
    return refused(result, 'The rule of the tool requires the consent of a person.');
  }
  if (!tool.recordsItself) {
    await db.transaction(async (tx) => {
      await recordDecision(tx, entry);
      await sent.keep(tx, tool);
    });
  }
  return tool.call(args, run, sent);
}

/** Names what tainted the run, in the detail of its audit entries. */
export const taintDetail = (run: RunTaint) => (isTainted(run) ? { tainted_by: [...run.taintedBy] } : {});

const entryOf = (
  { project, actor }: Caller,
  agent: RunnableAgent,
  tool: AgentTool,
  name: string,
  run: RunTaint,
  { runId }: SentCall,
): AuditEntry => ({
  actor: { ...actor, kind: 'mcp', label: tool.owner.name },
  action: 'tool.call',
  resource: tool.owner.id,
  project,
  detail: { tool: name, agent: agent.slug, run: runId, ...taintDetail(run) },
});

/** A model named a tool that it may not use, or that does not exist. */
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
  detail: { tool: name.slice(0, 200), agent: agent.slug, run: runId, ...taintDetail(run) },
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
