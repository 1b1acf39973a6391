import type { AuditEntry } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { storableText, type Tx } from '@millwright/db';

/** The name of a server, and the resource that audit rows name for the server. */
export interface AuditedServer {
  label: string;
  /** The server's id, or the path of the request. */
  resource: string;
}

/** Makes the audit entry for a prompt or resource that a client reads. The entry does not contain the arguments of the request. */
export const readEntry = (
  { project, actor }: Caller,
  server: AuditedServer,
  { kind }: { kind: 'prompt' | 'resource' },
  name: unknown,
): AuditEntry => ({
  actor: { ...actor, kind: 'mcp', label: server.label },
  action: 'mcp.read',
  resource: server.resource,
  project,
  detail: { [kind]: typeof name === 'string' ? storableText(name.slice(0, 500)) : null },
});

/** The run that calls a tool. */
export interface CallingRun {
  /** Public id of the run. */
  runId?: string | undefined;
  /** Slug and version of the run's agent. */
  agent?: { slug: string; version: number | null } | undefined;
  /** Sources from which the run has read text that neither its user nor this installation wrote. */
  taintedBy?: readonly string[] | undefined;
  /** Id of the decision that approved the call. */
  approval?: string | undefined;
}

/** Makes the members that name an agent and its version in the `detail` of an audit entry. The built-in agent has no version. */
export const agentDetail = ({ slug, version }: { slug: string; version: number | null }) => ({
  agent: slug,
  ...(version !== null && { agent_version: version }),
});

/** The audit entry of a `tools/call`, without its arguments. The user is accountable, and the server is the actor. */
export const toolCallEntry = (
  { project, actor }: Caller,
  server: AuditedServer,
  tool: string,
  { runId, agent, taintedBy = [], approval }: CallingRun = {},
): AuditEntry => ({
  actor: { ...actor, kind: 'mcp', label: server.label },
  action: 'mcp.call',
  resource: server.resource,
  project,
  detail: {
    tool: storableText(tool.slice(0, 200)),
    ...(runId !== undefined && { run: runId }),
    ...(agent && agentDetail(agent)),
    ...(taintedBy.length > 0 && { tainted_by: [...taintedBy] }),
    ...(approval !== undefined && { approval }),
  },
});

export interface McpToolCall extends CallingRun {
  /** UUID of the MCP server. */
  serverId: string;
  tool: string;
  arguments: Record<string, unknown>;
  signal?: AbortSignal | undefined;
  /** Idempotency key, which is equal for all attempts of the call and is sent to the server in `_meta`. */
  idempotencyKey?: string | undefined;
  /** Makes further writes in the transaction that records the call. */
  alongside?: ((tx: Tx) => Promise<void>) | undefined;
  /** Called right before the call is sent. To prevent the call, it aborts the signal and throws. */
  beforeSend?: (() => void) | undefined;
}
