import { recordAction } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { createBreakers, EgressError } from '@millwright/egress';
import { inSpan } from '@millwright/telemetry';
import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import type { McpDeps } from './refresh.js';
import { shortened, toToolResult, type McpToolResult } from './result-text.js';
import { hashTool, readTools } from './tool-list.js';
import { findCallableTool, type CallableTool } from './tools.store.js';
import { createUpstreamFetch, notConnectedIn } from './upstream-fetch.js';
import { withMcpClient, type McpLimits } from './upstream.js';

export interface McpToolCall {
  /** The server's UUID. */
  serverId: string;
  tool: string;
  arguments: Record<string, unknown>;
  signal?: AbortSignal | undefined;
}

/**
 * `not_offered`: unknown, not approved, changed since, or its server is not active. `not_connected`: the user has to let us act for
 * them there first. `unavailable`: the upstream gave no usable answer.
 */
export type McpCallFailure = 'not_offered' | 'not_connected' | 'unavailable' | 'timeout' | 'too_large';

export class McpCallFailed extends Error {
  override name = 'McpCallFailed';
  readonly kind: McpCallFailure;

  constructor(kind: McpCallFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

export interface McpToolCallerOptions extends McpDeps {
  limits?: McpLimits;
}

const CALL_LIMITS: McpLimits = { timeoutMs: 60_000, maxBytes: 1024 * 1024 };

/** How long a tool that was seen to be as approved counts as such. */
const VERIFIED_MS = 30_000;
const MOST_REMEMBERED = 1_000;

/**
 * Calls tools of MCP servers for agents. A tool is called only while it is on offer and its server still describes it as it was
 * approved; each call is recorded before it is made. A tool's own failure is a result; a server that keeps failing is left alone
 * for a while.
 */
export function createMcpToolCaller(options: McpToolCallerOptions) {
  const { db, limits = CALL_LIMITS } = options;
  const upstreamFetch = createUpstreamFetch(options);
  const breakerOf = createBreakers('mcp');
  const verified = remembering<number>();

  async function requireUnchanged(key: string, tool: CallableTool, client: Client, signal: AbortSignal) {
    if ((verified.get(key) ?? 0) > performance.now()) return;
    const now = (await readTools(client, signal)).find(({ name }) => name === tool.name);
    if (!now || !hashTool(now).equals(tool.hash))
      throw new McpCallFailed('not_offered', `${tool.name} is no longer as it was approved.`);
    verified.set(key, performance.now() + VERIFIED_MS);
  }

  async function callUpstream(
    tool: CallableTool,
    { serverId, signal, ...call }: McpToolCall,
    userId: string,
  ): Promise<McpToolResult> {
    const fetch = upstreamFetch({ ...tool, id: serverId }, userId);
    const key = `${serverId} ${tool.name} ${tool.hash.toString('hex')} ${tool.url}`;
    return withMcpClient(fetch, tool.url, limits, signal, async (client, scope) => {
      await requireUnchanged(key, tool, client, scope);
      const { name, description, input_schema } = tool;
      const toolDefinition = { name, description, inputSchema: { ...input_schema, type: 'object' as const } };
      const params = { name, arguments: call.arguments };
      return client
        .callTool(params, { signal: scope, timeout: limits.timeoutMs, toolDefinition })
        .then(toToolResult, refusal);
    });
  }

  return {
    /** @throws McpCallFailed, or the reason of the caller's signal */
    async callMcpTool(caller: Caller, call: McpToolCall): Promise<McpToolResult> {
      const tool = await findCallableTool(db, caller.project, call.serverId, call.tool);
      if (!tool) throw new McpCallFailed('not_offered', `There is no tool ${call.tool} on offer.`);
      const pass = breakerOf(call.serverId).admit();
      if (!pass) throw new McpCallFailed('unavailable', 'The MCP server has failed too often just now.');
      await record(options, caller, call, tool).catch((error: unknown) => {
        pass.abandoned();
        throw error;
      });
      try {
        const work = () => callUpstream(tool, call, caller.actor.userId);
        const result = await inSpan('tools/call', spanOf(tool), work);
        pass.succeeded();
        return result;
      } catch (error) {
        if (call.signal?.aborted) pass.abandoned();
        else if (error instanceof McpCallFailed || notConnectedIn(error)) pass.succeeded();
        else pass.failed();
        if (error instanceof McpCallFailed && error.kind === 'not_offered') await makeProbeDue(options, call.serverId);
        throw call.signal?.aborted ? error : toCallFailure(error);
      }
    },
  };
}
/** The tool by its name, which its server's owner chose and an admin approved; never its arguments. */
const spanOf = ({ name }: CallableTool) =>
  ({
    kind: 'client',
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name, 'gen_ai.operation.name': 'execute_tool' },
  }) as const;

export type McpToolCaller = ReturnType<typeof createMcpToolCaller>;

/** The user stays accountable; the server is the surface they act through. */
async function record(
  { db }: McpDeps,
  { project, actor }: Caller,
  call: McpToolCall,
  tool: CallableTool,
): Promise<void> {
  await recordAction(db, {
    actor: { ...actor, kind: 'mcp', label: tool.server_name },
    action: 'mcp.call',
    resource: encodeId('ms', call.serverId),
    project,
    detail: { tool: call.tool },
  });
}

async function makeProbeDue({ db }: McpDeps, serverUuid: string): Promise<void> {
  await db.prisma
    .$executeRaw`UPDATE mcp_servers SET probe_due_at = now() WHERE id = ${serverUuid}::uuid AND probe_due_at > now()`;
}

/** A JSON-RPC error is the server's answer: the model may correct its arguments. */
function refusal(error: unknown): McpToolResult {
  if (error instanceof ProtocolError) return { is_error: true, text: shortened(error.message) };
  throw error;
}

function toCallFailure(error: unknown): McpCallFailed {
  if (notConnectedIn(error)) return new McpCallFailed('not_connected', 'The user has no account connected.');
  const reason = reasonOf(error);
  if (reason instanceof McpCallFailed) return reason;
  const { kind, name } = reason as { kind?: unknown; name?: unknown };
  if (name === 'TimeoutError' || kind === 'timeout')
    return new McpCallFailed('timeout', 'The MCP server did not answer in time.', { cause: error });
  if (kind === 'too_large')
    return new McpCallFailed('too_large', 'The answer of the MCP server is too large.', { cause: error });
  return new McpCallFailed('unavailable', 'The MCP server gave no usable answer.', { cause: error });
}

/** What the SDK wraps, where egress ended the call. */
function reasonOf(error: unknown): Error {
  let current = error as Error & { data?: { cause?: unknown } };
  for (let depth = 0; depth < 4; depth++) {
    const cause = current.cause ?? current.data?.cause;
    if (current instanceof EgressError || !(cause instanceof Error)) break;
    current = cause;
  }
  return current;
}

/** A map that forgets what it was told longest ago. */
function remembering<Value>() {
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value) => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > MOST_REMEMBERED && oldest !== undefined) entries.delete(oldest);
    return value;
  };
  return {
    get: (key: string) => entries.get(key),
    set,
  };
}
