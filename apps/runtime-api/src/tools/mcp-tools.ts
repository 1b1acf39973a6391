import type { Caller } from '@millwright/auth';
import { allowsTool } from '@millwright/auth/tool-lists';
import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import type { RunnableAgent } from '@millwright/catalog';
import {
  listAvailableTools,
  McpCallFailed,
  type AvailableTool,
  type McpCallFailure,
  type McpToolCaller,
} from '@millwright/mcp';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { NOT_CONNECTED, runError } from '@millwright/runs';
import { connectUrlOf } from '../connections/connect-url.js';
import type { AwaitConnection } from './await-connection.js';
import { ruleFor } from './rule-of.js';
import { answered, because, failed, type AgentTool } from './tool.js';

const FAILURES: Readonly<Record<McpCallFailure, string>> = {
  not_available: 'The tool is not available any more.',
  not_connected:
    'The user has to connect an account to the MCP server first. Give them this address to open in a browser.',
  unavailable: 'The tool cannot be reached.',
  timeout: 'The tool did not answer in time.',
  too_large: 'The answer of the tool is too large.',
};

export interface McpToolDeps {
  mcp: McpToolCaller;
  runtimeUrl: string;
  unmarkedTools: UnmarkedTools;
  awaitConnection: AwaitConnection;
}

/**
 * Lists the available tools of the servers that both the agent and the caller may use. The arguments are not checked here, because the
 * server checks them. The tool's `call` writes the audit row.
 */
export async function listMcpTools(
  db: Database,
  { mcp, runtimeUrl, unmarkedTools, awaitConnection }: McpToolDeps,
  caller: Caller,
  serverUuids: readonly string[],
  agent: Pick<RunnableAgent, 'slug' | 'version' | 'mcp_tools' | 'ask_tools'>,
): Promise<AgentTool[]> {
  const available = await listAvailableTools(db, caller.project, [...new Set(serverUuids)]);
  const lists = [agent.mcp_tools, caller.mcpTools];
  const allowed = available.filter(({ server_slug, name }) => allowsTool(lists, server_slug, name));
  const toTool = ({ server_id: serverId, server_slug, server_name, name, ...tool }: AvailableTool): AgentTool => ({
    name: `${server_slug}__${name}`,
    description: tool.description,
    parameters: tool.input_schema,
    owner: { name: server_slug, id: encodeId('ms', serverId) },
    recordsItself: true,
    check: () => Promise.resolve(undefined),
    rule: ruleFor(agent, unmarkedTools, tool, server_slug, name),
    definitionHash: tool.hash,
    isRepeatable: tool.is_repeatable,
    isPinned: tool.is_pinned,
    async call(args, { taintedBy }, { runId, idempotencyKey, signal, keep, requireLease, decision }) {
      let step: number | undefined;
      try {
        const { is_error, text } = await mcp.callMcpTool(caller, {
          serverId,
          tool: name,
          arguments: { ...args },
          runId,
          agent,
          taintedBy,
          idempotencyKey,
          signal,
          approval: decision?.approval,
          alongside: async (tx) => {
            step = await keep(tx, this);
          },
          beforeSend: requireLease,
        });
        return answered(!is_error, text);
      } catch (error) {
        if (!(error instanceof McpCallFailed)) throw error;
        const { status, text } = runError(new AppError('unavailable', { cause: error }));
        if (error.kind !== 'not_connected') return because(failed(FAILURES[error.kind]), 'unavailable', text, status);
        const server = { id: serverId, name: server_name };
        const waits = step === undefined ? undefined : await awaitConnection({ caller, runId, step, server });
        const url = connectUrlOf(runtimeUrl, encodeId('ms', serverId));
        return { ...because(failed(FAILURES.not_connected, { url }), NOT_CONNECTED, text), waits };
      }
    },
  });
  return allowed.map(toTool);
}
