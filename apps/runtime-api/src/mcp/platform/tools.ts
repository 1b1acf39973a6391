import { recordAction, recordDenial } from '@millwright/audit';
import { allowsTool, callerOf, type Principal } from '@millwright/auth';
import { listRunnableAgents } from '@millwright/catalog';
import type { Database, MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Budget, RateLimiter } from '@millwright/rate-limit';
import { ProtocolError, ProtocolErrorCode, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { findAgent } from '../../concierge/find-agent.js';
import type { ContentStore } from '../../content/content.store.js';
import { SearchQuery } from '../../content/content.contract.js';
import { calledTool } from '../json-rpc.js';
import type { AdminTools } from './admin-tools.js';
import type { AskAgent, Asking } from './ask-agent.js';
import { PLATFORM } from './scopes.js';

export interface PlatformToolDeps {
  db: Database;
  content: ContentStore;
  ask: AskAgent;
  admin: AdminTools;
  limiter: RateLimiter;
  /** Of messages to agents, besides the requests'. */
  messages: Budget;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

const SearchArguments = z.strictObject({
  query: z.string().trim().min(1).max(500),
  source: SearchQuery.shape.source,
  limit: z.int().min(1).max(50).default(10),
});

const SEARCH: Tool = {
  name: 'search_content',
  description: "Searches the project's content by its words, misspelt ones too; the best first.",
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What is looked for', maxLength: 500 },
      source: { type: 'string', description: 'Only content of this collection' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

const MESSAGE_SCHEMA: Tool['inputSchema'] = {
  type: 'object',
  properties: {
    content: { type: 'string', description: 'The message', maxLength: 200_000 },
    context_id: { type: 'string', description: 'The conversation to go on in, from an earlier answer' },
  },
  required: ['content'],
  additionalProperties: false,
};

/** The tools that a principal may call, in one order. */
export const createToolList =
  (db: Database, admin: Pick<AdminTools, 'list'>) =>
  async ({ project, scopes, mcpTools }: Principal): Promise<Tool[]> => {
    const agents = scopes.has('agents:message') ? await listRunnableAgents(db, project) : [];
    const asks = agents
      .filter(({ status }) => status === 'active')
      .map(({ slug, description }) => ({ name: `ask_${slug}`, description, inputSchema: MESSAGE_SCHEMA }));
    const tools = [
      ...(scopes.has('content:read') ? [SEARCH] : []),
      ...(scopes.has('admin') ? admin.list : []),
      ...asks,
    ];
    return tools.filter(({ name }) => allowsTool([mcpTools], PLATFORM, name));
  };

/** The platform's own tools: content search, and each agent as one. */
export function createPlatformTools(deps: PlatformToolDeps) {
  const { db, content, ask, admin, limiter, messages, counts } = deps;

  async function search({ principal, from }: Asking, args: unknown): Promise<CallToolResult> {
    const { query, source, limit } = SearchArguments.parse(args);
    const caller = callerOf(principal, from);
    counts?.add(caller.project, 'content_searches');
    const { results, total } = await content.search(caller, { q: query, source, limit, offset: 0, public: undefined });
    // Without the bodies: they are read as resources.
    const found = results.map((item) => ({ ...item, content: undefined, uri: `millwright://content/${item.id}` }));
    return text(JSON.stringify({ results: found, total }));
  }

  async function askAgent(by: Asking, agent: string, args: unknown): Promise<CallToolResult> {
    const { admitted } = await limiter.consume(messages, by.principal.credential.id);
    if (!admitted) return failure('Too many messages. Wait until the next minute.');
    const answer = await ask(by, agent, args);
    return { ...text(answer.content), structuredContent: { ...answer } };
  }

  /** Records the call as for every MCP server: before it is made, without its arguments. @throws ProtocolError for an unknown tool */
  async function admitCall({ principal, from }: Asking, name: string): Promise<void> {
    const { project, actor } = callerOf(principal, from);
    const acting = { ...actor, kind: 'mcp' as const, label: PLATFORM };
    const detail = { tool: calledTool({ params: { name } }) };
    const entry = { actor: acting, action: 'mcp.call', resource: PLATFORM, project, detail };
    const agent = agentOf(name);
    const isOurs = name === SEARCH.name || admin.has(name);
    if (isOurs || (agent !== undefined && (await findAgent(db, project, agent)))) return recordAction(db, entry);
    await recordDenial(db, entry, 'there is no such tool');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  }

  return {
    list: createToolList(db, admin),

    /** A tool's own failure is a result. @throws ProtocolError -32602 for an unknown tool */
    async call(by: Asking, name: string, args: object): Promise<CallToolResult> {
      await admitCall(by, name);
      const administered = await admin.call(by, name, args);
      if (administered) return administered;
      try {
        const agent = agentOf(name);
        return agent === undefined ? await search(by, args) : await askAgent(by, agent, args);
      } catch (error) {
        if (error instanceof z.ZodError) return failure(z.prettifyError(error));
        if (!(error instanceof AppError)) throw error;
        return failure(error.code === 'not_found' ? 'There is no such agent or conversation.' : error.message);
      }
    },
  };
}
export type PlatformTools = ReturnType<typeof createPlatformTools>;

const agentOf = (name: string) => (name.startsWith('ask_') ? name.slice('ask_'.length) : undefined);
const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const failure = (said: string): CallToolResult => ({ ...text(said), isError: true });
