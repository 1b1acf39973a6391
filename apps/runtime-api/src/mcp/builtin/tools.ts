import { recordAction, recordDenial } from '@millwright/audit';
import { callerOf, type Principal, type Scope } from '@millwright/auth';
import { allowsTool } from '@millwright/auth/tool-lists';
import type { Database, MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { toolCallEntry } from '@millwright/mcp';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listAgentTools } from '../../agents/agents.store.js';
import { findAgentOrDeleted } from '../../agents/find-agent.js';
import type { ContentStore } from '../../content/content.store.js';
import type { FindSearchVector } from '../../knowledge/vectors/search-vectors.js';
import { SearchArguments } from '../../content/search-arguments.js';
import { CONTEXT_HEADER } from '../../runs/runs.service.js';
import { NewMessage } from '../../conversations/new-message.js';
import type { McpMessage } from '@millwright/mcp/json-rpc';
import { failure, textResult, type ToolCallContext } from '../endpoint/mcp-call.js';
import { inputSchemaOf, type AdminTools } from './admin-tools.js';
import type { AskAgent } from './ask-agent.js';
import { ASK, BUILTIN } from '../../tools/builtin-names.js';

export interface BuiltinToolDeps {
  db: Database;
  content: ContentStore;
  askAgent: AskAgent;
  admin: AdminTools;
  counts?: Pick<MetricCounts, 'add'> | undefined;
  findSearchVector: FindSearchVector;
}

/** The scopes that features of the built-in server need, in addition to the scopes that every MCP server needs. */
export const BUILTIN_SCOPES: readonly Scope[] = ['skills:read', 'content:read', 'agents:message'];

const SEARCH = 'search_content';
const ADMIN_TOOL = /^(list_records|(create|update)_(skill|agent|content))$/;

/**
 * The scopes that a message needs in addition to the scope of the endpoint. A list request needs none, because the list contains only items
 * that the caller may use.
 */
export function builtinScopesOf(message: Exclude<McpMessage, { kind: 'response' }>): readonly Scope[] {
  if (message.method === 'prompts/get') return ['skills:read'];
  if (message.method === 'resources/read') return ['content:read'];
  const { name } = message.params;
  if (message.method !== 'tools/call' || typeof name !== 'string') return [];
  if (ADMIN_TOOL.test(name)) return ['admin'];
  if (name === SEARCH) return ['content:read'];
  return name.startsWith(ASK) ? ['agents:message'] : [];
}

const Search = SearchArguments.extend({ limit: z.int().min(1).max(50).default(10) });

const SEARCH_TOOL: Tool = {
  name: SEARCH,
  description: "Searches the project's content by its words, with tolerance for spelling; best results first.",
  inputSchema: inputSchemaOf(Search),
  annotations: { readOnlyHint: true },
};

const MESSAGE_SCHEMA = inputSchemaOf(
  NewMessage.extend({
    content: NewMessage.shape.content.describe('The message'),
    context_id: NewMessage.shape.context_id.describe('The conversation to continue, from an earlier answer'),
  }),
);

interface ToolPage {
  tools: Tool[];
  next: string | undefined;
}

/** Lists a page of the tools that a principal may call, in stable order. @throws ProtocolError -32602 for an invalid cursor */
export const createToolList =
  (db: Database, admin: Pick<AdminTools, 'list'>) =>
  async ({ project, scopes, mcpTools }: Principal, cursor?: string): Promise<ToolPage> => {
    const page = scopes.has('agents:message')
      ? await listAgentTools(db, project, cursor)
      : { agents: [], next: undefined };
    if (!page) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor is unknown');
    const asks = page.agents.map(({ slug, description }) => ({
      name: `${ASK}${slug}`,
      description,
      inputSchema: MESSAGE_SCHEMA,
    }));
    const fixed = [...(scopes.has('content:read') ? [SEARCH_TOOL] : []), ...(scopes.has('admin') ? admin.list : [])];
    const tools = [...(cursor === undefined ? fixed : []), ...asks];
    return { tools: tools.filter(({ name }) => allowsTool([mcpTools], BUILTIN, name)), next: page.next };
  };

/** The tools of the built-in server: content search, one tool per agent, and the admin tools. */
export function createBuiltinTools(deps: BuiltinToolDeps) {
  const { db, content, askAgent, admin, counts, findSearchVector } = deps;

  async function search({ principal, from }: ToolCallContext, args: unknown): Promise<CallToolResult> {
    const { query, source, limit } = Search.parse(args);
    const caller = callerOf(principal, from);
    counts?.add(caller.project, 'content_searches');
    // The results contain no bodies of content items. Clients read the bodies as resources.
    const near = await findSearchVector(caller, query);
    const asked = { q: query, source, limit, offset: 0, bodies: false, near };
    const { results, total } = await content.search(caller, asked);
    const found = results.map((item) => ({ ...item, content: undefined, uri: `millwright://content/${item.id}` }));
    return textResult(JSON.stringify({ results: found, total }));
  }

  /** Records the call before it is made. Its arguments are not recorded. @throws ProtocolError for an unknown tool */
  async function admitCall({ principal, from }: ToolCallContext, name: string): Promise<void> {
    const caller = callerOf(principal, from);
    const entry = toolCallEntry(caller, { label: BUILTIN, resource: BUILTIN }, name);
    const agent = agentOf(name);
    const isFixed = name === SEARCH || admin.has(name);
    if (isFixed || (agent !== undefined && (await findAgentOrDeleted(db, caller.project, agent))))
      return recordAction(db, entry);
    await recordDenial(db, entry, 'there is no such tool');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  }

  return {
    list: createToolList(db, admin),

    /**
     * Calls a tool. Failures of the tool, and input requests for the client's user, are returned as results.
     * @throws ProtocolError -32602 for an unknown tool
     */
    async call(context: ToolCallContext, name: string, args: object): Promise<CallToolResult | InputRequiredResult> {
      await admitCall(context, name);
      const administered = await admin.call(context, name, args);
      if (administered) return administered;
      try {
        const agent = agentOf(name);
        return agent === undefined ? await search(context, args) : await askAgent(context, agent, args);
      } catch (error) {
        if (error instanceof z.ZodError) return failure(z.prettifyError(error));
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'not_found') return failure('There is no such agent or conversation.');
        const contextId = error.headers[CONTEXT_HEADER];
        return failure(
          contextId ? `${error.message} To try again, send the message with context_id ${contextId}.` : error.message,
        );
      }
    },
  };
}
export type BuiltinTools = ReturnType<typeof createBuiltinTools>;

const agentOf = (name: string) => (name.startsWith(ASK) ? name.slice(ASK.length) : undefined);
