import { recordAction, recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import { clientIdOf, type Caller } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { EgressError } from '@millwright/egress';
import { inSpan, mcpCallSpan } from '@millwright/telemetry';
import { HopRefused, requireLiveHop, type Hop } from './agent-hops.store.js';
import { toolCallEntry, type McpToolCall } from './call-audit.js';
import type { McpServers } from './mcp-servers.js';
import { A2A } from './outside-agents/agent-card.js';
import { createAgentCaller } from './outside-agents/call-agent.js';
import type { McpLimits } from './sdk-client.js';
import { McpCallFailed } from './call-failure.js';
import { isProtocolError } from './sdk-errors.js';
import { isTimeout } from './server-unavailable.js';
import { notConnectedIn } from './server-fetch.js';
import { shortened, toToolResult, type McpToolResult } from './tool-result.js';
import { findCallableTool, type CallableTool } from './tools.store.js';

/** The member of `_meta` that contains the idempotency key of a call. */
export const IDEMPOTENCY_KEY = 'millwright/idempotency-key';

const CALL_LIMITS: McpLimits = { timeoutMs: 60_000, maxBytes: 1024 * 1024 };

/**
 * Calls tools of MCP servers for agents. A tool is called only while it is available and the server still describes it
 * as approved. Each call is recorded before it is made. When the tool itself fails, the failure is returned as a
 * result.
 */
export function createMcpToolCaller(servers: McpServers, limits: McpLimits = CALL_LIMITS) {
  const { db, connections, approval } = servers;
  const callAgent = createAgentCaller(servers);

  async function callServer(
    caller: Caller,
    tool: CallableTool,
    call: McpToolCall,
    onAdmitted: () => Promise<void>,
  ): Promise<McpToolResult> {
    const { name, description, input_schema, server_name, url, headers, auth } = tool;
    const by = {
      ...(auth.type === 'user' && { userId: caller.actor.userId }),
      ...(auth.type === 'agent_token' && { hop: hopOf(caller, call) }),
    };
    const server = { id: call.serverId, project: caller.project, name: server_name, url, headers, auth, ...by };
    const options = { signal: call.signal, onAdmitted };
    if (tool.transport === A2A) return callAgent({ ...server, ...tool, id: call.serverId }, call, options);
    return connections.withClient(server, { ...options, limits }, async (client, signal) => {
      if (!(await approval.isAsApproved(server, tool, client, signal)))
        throw new McpCallFailed('not_available', `${name} is no longer as it was approved.`);
      const toolDefinition = { name, description, inputSchema: { ...input_schema, type: 'object' as const } };
      const meta = call.idempotencyKey !== undefined && { _meta: { [IDEMPOTENCY_KEY]: call.idempotencyKey } };
      const params = { name, arguments: call.arguments, ...meta };
      call.beforeSend?.();
      return client.callTool(params, { signal, timeout: limits.timeoutMs, toolDefinition }).then(toToolResult, refusal);
    });
  }

  /** Refuses a call whose user, agent or client is no longer active, before anything is sent. */
  async function requireHop(caller: Caller, call: McpToolCall, entry: AuditEntry): Promise<void> {
    try {
      await requireLiveHop(db, hopOf(caller, call));
    } catch (error) {
      if (!(error instanceof HopRefused)) throw error;
      await recordDenial(db, entry, 'the user, the agent or the client is not active');
      throw new McpCallFailed('not_available', error.message);
    }
  }

  return {
    /** @throws McpCallFailed, the errors of the audit log, or the reason of the caller's signal */
    async callMcpTool(caller: Caller, call: McpToolCall): Promise<McpToolResult> {
      const tool = await findCallableTool(db, caller.project, call.serverId, call.tool);
      if (!tool) throw new McpCallFailed('not_available', `There is no available tool ${call.tool}.`);
      const server = { label: tool.server_name, resource: encodeId('ms', call.serverId) };
      const notRecorded: unknown[] = [];
      const entry = toolCallEntry(caller, server, call.tool, call);
      const { alongside } = call;
      if (tool.auth.type === 'agent_token') await requireHop(caller, call, entry);
      const recorded = () =>
        alongside
          ? db.transaction(async (tx) => {
              await recordDecision(tx, entry);
              await alongside(tx);
            })
          : recordAction(db, entry);
      const record = () =>
        recorded().catch((error: unknown) => {
          notRecorded.push(error);
          throw error;
        });
      try {
        // The span may contain the name of the tool, although the owner of the server chose it, because an admin
        // approved the tool.
        const span = mcpCallSpan(tool.name);
        return await inSpan(span.name, span.options, () => callServer(caller, tool, call, record));
      } catch (error) {
        throw call.signal?.aborted || notRecorded.includes(error) ? error : toCallFailure(error);
      }
    },
  };
}
export type McpToolCaller = ReturnType<typeof createMcpToolCaller>;

/** The origin of a call: its run, or its caller when there is no run. */
function hopOf({ actor, project, credential, delegation }: Caller, { runId }: Pick<McpToolCall, 'runId'>): Hop {
  if (runId !== undefined) return { runId };
  const { userId } = actor;
  return { userId, project, clientId: credential && clientIdOf(credential, userId), delegation };
}

/** Converts a JSON-RPC error to the tool's result, so that the model can correct its arguments. */
function refusal(error: unknown): McpToolResult {
  if (isProtocolError(error)) return { is_error: true, text: shortened(error.message) };
  throw error;
}

function toCallFailure(error: unknown): McpCallFailed {
  if (notConnectedIn(error)) return new McpCallFailed('not_connected', 'The user has no account connected.');
  const reason = reasonOf(error);
  if (reason instanceof McpCallFailed) return reason;
  const kind = reason instanceof EgressError ? reason.kind : undefined;
  if (isTimeout(reason) || kind === 'timeout')
    return new McpCallFailed('timeout', 'The MCP server did not answer in time.', { cause: error });
  if (kind === 'too_large')
    return new McpCallFailed('too_large', 'The answer of the MCP server is too large.', { cause: error });
  return new McpCallFailed('unavailable', 'The MCP server gave no usable answer.', { cause: error });
}

/** Returns the innermost cause of an error of the SDK, or the egress error among its causes. */
function reasonOf(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 4 && current instanceof Error && !(current instanceof EgressError); depth++) {
    const cause = current.cause ?? ('data' in current ? causeIn(current.data) : undefined);
    if (!(cause instanceof Error)) break;
    current = cause;
  }
  return current;
}

const causeIn = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
