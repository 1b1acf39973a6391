import type { Caller } from '@millwright/auth';
import {
  createMcpToolCaller,
  listAgentPlugins,
  listAgentServers,
  type RunnableAgent,
  type SecretBox,
} from '@millwright/catalog';
import { decodeId, type Database, type MetricCounts } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import type { ModelToolCall } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { isConcierge } from '../concierge/concierge.js';
import { createConciergeTools } from '../concierge/concierge-tools.js';
import { findContent, type Piece } from '../knowledge/content.store.js';
import { createDocuments } from '../knowledge/documents.js';
import { callTool } from './call-tool.js';
import { listMcpTools } from './mcp-tools.js';
import { offerTools, type OfferedTools } from './offer-tools.js';
import { createPluginTools } from './plugin-tools.js';
import type { ToolResult } from './tool.js';

export interface WorkplaceDeps {
  db: Database;
  fetch: EgressFetch;
  validator: SchemaValidator;
  box: SecretBox;
  /** Where users connect their accounts. */
  runtimeUrl: string;
  /** For one call of a tool. */
  toolTimeoutMs: number;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

/** Of an MCP server's answer. */
const MCP_MAX_BYTES = 1024 * 1024;

/** What an agent works with during one run. */
export interface OpenedWorkplace {
  tools: OfferedTools;
  knowledge: readonly Piece[];
  callTool: (call: ModelToolCall) => Promise<ToolResult>;
}

export type Workplace = (caller: Caller, agent: RunnableAgent, question: string) => Promise<OpenedWorkplace>;

/** Gathers what an agent may use: the tools and documents of its active plugins, its MCP servers' tools, and the content with its tags. */
export function createWorkplace({
  db,
  fetch,
  validator,
  box,
  runtimeUrl,
  toolTimeoutMs,
  counts,
}: WorkplaceDeps): Workplace {
  const pluginTool = createPluginTools({ fetch, validator, box, timeoutMs: toolTimeoutMs });
  const mcp = createMcpToolCaller({
    db,
    fetch,
    secrets: box,
    limits: { timeoutMs: toolTimeoutMs, maxBytes: MCP_MAX_BYTES },
  });
  const conciergeTools = createConciergeTools({ db, counts });
  const readDocuments = createDocuments(fetch, box);

  return async (caller, agent, question) => {
    const [plugins, servers, content] = await Promise.all([
      listAgentPlugins(db, caller.project, agent.id),
      listAgentServers(db, agent.id),
      findContent(db, caller.project, agent.content_tags, question),
    ]);
    const documents = await readDocuments(plugins.filter(({ type }) => type === 'data_source'));
    const bound = plugins
      .filter(({ type }) => type === 'integration')
      .flatMap(({ config }) => decodeId('ms', String(config['server_id'])) ?? []);
    const mcpTools = await listMcpTools(db, { mcp, runtimeUrl }, caller, [...bound, ...servers], agent.mcp_tools);
    const own = isConcierge(agent) ? conciergeTools(caller) : [];
    const tools = offerTools([...own, ...plugins.filter(({ type }) => type === 'tool').map(pluginTool), ...mcpTools]);
    return {
      tools,
      knowledge: [...content, ...documents],
      callTool: (call) => callTool(db, caller, agent, tools, call),
    };
  };
}
