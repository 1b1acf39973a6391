import { recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { isJsonObject } from '@millwright/json';
import type { ModelToolCall } from '@millwright/models';
import type { ModelTools } from './model-tools.js';
import { failed, type AgentTool, type ToolResult } from './tool.js';

const ARGUMENTS_MAX_CHARACTERS = 64 * 1024;

/**
 * Calls one tool for the user who is accountable. The call is recorded before anything is sent: without the audit entry there is no
 * call. The arguments are kept in the conversation, not in the audit log.
 */
export async function callTool(
  db: Database,
  caller: Caller,
  agent: RunnableAgent,
  tools: ModelTools,
  call: ModelToolCall,
): Promise<ToolResult> {
  const tool = tools.find(call.name);
  if (!tool) {
    await recordDenial(db, unavailableEntry(caller, agent, call.name), 'the tool is not on offer');
    return failed('There is no tool of that name.');
  }
  const args = parseArguments(call.arguments);
  const fault = args ? await tool.check(args) : failed('The arguments are not a JSON object.');
  const entry = entryOf(caller, agent, tool, call.name);
  if (!args || fault) {
    await recordDenial(db, entry, 'the arguments are not valid');
    return fault ?? failed('The arguments are not a JSON object.');
  }
  if (!tool.recordsItself) await db.transaction((tx) => recordDecision(tx, entry));
  return tool.call(args);
}

const entryOf = ({ project, actor }: Caller, agent: RunnableAgent, tool: AgentTool, name: string): AuditEntry => ({
  actor: { ...actor, kind: 'mcp', label: tool.owner.name },
  action: 'tool.call',
  resource: tool.owner.id,
  project,
  detail: { tool: name, agent: agent.slug },
});

/** A model named a tool that it may not use, or that does not exist. */
const unavailableEntry = ({ project, actor }: Caller, agent: RunnableAgent, name: string): AuditEntry => ({
  actor,
  action: 'tool.call',
  resource: encodeId('ag', agent.id),
  project,
  detail: { tool: name.slice(0, 200), agent: agent.slug },
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
