import type { Caller } from '@millwright/auth';
import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import { listAgentLinks, type RunnableAgent } from '@millwright/catalog';
import { createMcpToolCaller, type McpServers } from '@millwright/mcp';
import { createAgentTokens, type AgentTokenIssuer } from '@millwright/mcp/agent-tokens';
import type { SecretBox } from '@millwright/secrets';
import { decodeId, encodeId, type Database, type MetricCounts } from '@millwright/db';
import { createConnectionWaits } from '@millwright/runs';
import type { EgressFetch } from '@millwright/egress';
import type { AskFilter, Guards } from '@millwright/guards';
import type { ModelToolCall } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { createAwaitConnection } from './await-connection.js';
import { isConcierge } from '../concierge/concierge.js';
import { guardToolResult, openRunGuards } from './run-guards.js';
import { findContent, type Piece } from '../knowledge/content.store.js';
import type { FindSearchVector } from '../knowledge/vectors/search-vectors.js';
import { createDocuments } from '../knowledge/documents.js';
import type { CallAgent } from './call-agent.js';
import { listAgentTools, listBegunAgentTools, type BegunAgentCall } from './agent-tools.js';
import { createBuiltinTools } from './builtin-tools.js';
import { callTool } from './call-tool.js';
import { createConciergeTools } from './concierge-tools.js';
import { listMcpTools } from './mcp-tools.js';
import { toModelTools, type ModelTools } from './model-tools.js';
import { createPluginTools } from './plugin-tools.js';
import { definitionsOf, KNOWLEDGE, type RunTaint } from './taint.js';
import type { SentCall, ToolResult } from './tool.js';

export interface AgentToolsetDeps {
  db: Database;
  fetch: EgressFetch;
  validator: SchemaValidator;
  servers: McpServers;
  /** Signs the tokens for tool calls. */
  agentTokenIssuer: AgentTokenIssuer;
  secrets: SecretBox;
  /** Calls external guards. */
  askFilter: AskFilter;
  /** Makes the search vector of a user's message. Knowledge is searched both by this vector and by words. */
  findSearchVector: FindSearchVector;
  /** Base address of the pages on which users connect their accounts. */
  runtimeUrl: string;
  /** Base URL of the console, to which the links of citations lead. */
  baseUrl: string;
  /** Time limit of one tool call in milliseconds. */
  toolTimeoutMs: number;
  /** The rule of unmarked tools in projects that have no tool policy. */
  unmarkedTools: UnmarkedTools;
  counts?: Pick<MetricCounts, 'add'> | undefined;
  /** Maximum time for which a call waits until an account is connected, in hours. */
  approvalHours: number;
}

/** Maximum size of an MCP server's answer, in bytes. */
const MCP_MAX_BYTES = 1024 * 1024;

/** The tools and the knowledge of an agent during one run. */
export interface AgentToolset {
  tools: ModelTools;
  knowledge: readonly Piece[];
  /** The sources that taint the run from its start: texts for the model that neither the user nor this installation wrote. */
  taintedBy: readonly string[];
  callTool: (call: ModelToolCall, run: RunTaint, sent: SentCall) => Promise<ToolResult>;
  /** Guards for secrets and personal data in the run's texts. `callTool` applies them to the answers of tools. */
  guards: Guards;
}

export type OpenToolset = (
  caller: Caller,
  agent: RunnableAgent,
  question: string,
  callAgent: CallAgent,
  /** Id of the run in the form of the API. */
  runId: string,
  /** Calls of agents that an earlier process started. */
  begun?: readonly BegunAgentCall[],
) => Promise<AgentToolset>;

/**
 * Returns the function that opens an agent's toolset. A toolset contains the built-in tools that the agent's list names, the tools and
 * documents of the agent's active plugins, the agents that the agent may call, and the content that has the agent's tags. For callers with
 * `mcp:call`, it also contains the tools of the agent's MCP servers.
 */
export function createToolsets({
  db,
  fetch,
  validator,
  servers,
  agentTokenIssuer,
  secrets,
  askFilter,
  findSearchVector,
  runtimeUrl,
  baseUrl,
  toolTimeoutMs,
  unmarkedTools,
  counts,
  approvalHours,
}: AgentToolsetDeps): OpenToolset {
  const agentTokens = createAgentTokens({ db, ...agentTokenIssuer });
  const pluginTool = createPluginTools({
    ...{ fetch, validator, secrets, agentTokens, unmarkedTools },
    timeoutMs: toolTimeoutMs,
  });
  const mcp = createMcpToolCaller(servers, { timeoutMs: toolTimeoutMs, maxBytes: MCP_MAX_BYTES });
  const conciergeTools = createConciergeTools({ db, counts, findSearchVector });
  const builtinTools = createBuiltinTools(Date.now);
  const readDocuments = createDocuments(fetch, secrets);
  const awaitConnection = createAwaitConnection(createConnectionWaits(db), { hours: approvalHours, runtimeUrl });

  async function findKnowledge(caller: Caller, tags: readonly string[], question: string): Promise<Piece[]> {
    if (tags.length === 0) return [];
    return findContent(db, caller.project, tags, question, baseUrl, await findSearchVector(caller, question));
  }

  return async (caller, agent, question, callAgent, runId, begun = []) => {
    const [links, content] = await Promise.all([
      listAgentLinks(db, caller.project, agent),
      findKnowledge(caller, agent.content_tags, question),
    ]);
    const { only } = agent;
    const plugins = links.plugins.filter(({ id }) => only?.plugins?.includes(encodeId('pl', id)) ?? true);
    const agentServers = links.servers.filter((id) => only?.servers?.includes(encodeId('ms', id)) ?? true);
    const documents = await readDocuments(plugins.filter(({ type }) => type === 'data_source'));
    const bound = plugins
      .filter(({ type }) => type === 'integration')
      .flatMap(({ config }) => decodeId('ms', String(config['server_id'])) ?? []);
    // An agent does not extend the scopes of its caller. Without the scope `mcp:call` of the caller, it therefore gets no tools of MCP
    // servers.
    const mcpServers = caller.scopes?.has('mcp:call') ? [...bound, ...agentServers] : [];
    const mcpTools = await listMcpTools(
      db,
      { mcp, runtimeUrl, unmarkedTools, awaitConnection },
      caller,
      mcpServers,
      agent,
    );
    const own = [...(isConcierge(agent) ? conciergeTools(caller) : []), ...builtinTools(caller, agent)];
    const pluginTools = plugins.filter(({ type }) => type === 'tool').map((plugin) => pluginTool(agent, plugin));
    const agentTools = listAgentTools({ callees: links.callees, unmarkedTools }, caller, agent, callAgent);
    const begunTools = listBegunAgentTools(begun, caller, agent, callAgent);
    const tools = toModelTools([...own, ...agentTools, ...pluginTools, ...mcpTools], begunTools);
    const knowledge = [...content, ...documents];
    const unpinned = mcpTools.flatMap(({ isPinned, owner }) => (isPinned === false ? [definitionsOf(owner.name)] : []));
    const guards = openRunGuards(db, askFilter, caller, agent, runId);
    return {
      tools,
      guards,
      knowledge,
      taintedBy: [...(knowledge.length > 0 ? [KNOWLEDGE] : []), ...new Set(unpinned)],
      callTool: async (call, run, sent) =>
        guardToolResult(guards, await callTool(db, caller, agent, tools, call, run, sent)),
    };
  };
}
