import { isJsonObject } from '@millwright/json';
import { z } from 'zod';
import { objectOrEmpty, toV2026Headers, toV2026Result, VERSION_KEY, metaOf } from './v2026-terms.js';
import { INVALID_PARAMS, JsonRpcRefusal, type McpRequest } from '@millwright/mcp/json-rpc';
import { asJson, jsonAnswer, type McpAnswer, type McpCall } from './mcp-call.js';

/** The parts of a call in which the request to the server differs from the client's request. */
export type InnerCall = Pick<McpCall, 'headers' | 'body'> & { message: McpRequest };

/**
 * The request that replaces a call of `search_tools` or `call_tool`, with the function that converts the answer. All checks of access use
 * this request.
 */
export interface RewrittenCall extends InnerCall {
  answer: (serve: (call: InnerCall) => Promise<McpAnswer>) => Promise<McpAnswer>;
}

const MOST_PAGES = 20;
const INFO = { name: 'millwright', version: '1' };

const Search = z.strictObject({
  query: z.string().max(500).default(''),
  limit: z.int().min(1).max(50).default(10),
});
const Call = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const TOOLS = [
  {
    name: 'search_tools',
    description: 'Finds tools of this server by words in their names and descriptions, best first. Without words, all.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call_tool',
    description: 'Calls a tool that search_tools found, with arguments for its inputSchema.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name'],
    },
  },
];

/**
 * Rewrites a request of a client that has the tools `search_tools` and `call_tool` instead of a server's list: a search becomes a list
 * request, and `call_tool` becomes the call of the tool itself. Returns `undefined` for a request that needs no change.
 *
 * @throws JsonRpcRefusal
 */
export function rewriteToolSearch(request: McpRequest, headers: McpCall['headers']): RewrittenCall | undefined {
  const { id, method, params } = request;
  const isV2026 = typeof metaOf(params)[VERSION_KEY] === 'string';
  const toResult = (inner: string, result: object) => (isV2026 ? toV2026Result(inner, result, { info: INFO }) : result);
  const inner = (message: McpRequest): InnerCall => ({
    message,
    headers: isV2026 ? toV2026Headers(headers, message) : headers,
    body: new TextEncoder().encode(
      JSON.stringify({ jsonrpc: '2.0', id, method: message.method, params: message.params }),
    ),
  });
  if (method === 'tools/list')
    return {
      ...inner(request),
      answer: () => Promise.resolve(jsonAnswer({ jsonrpc: '2.0', id, result: toResult(method, { tools: TOOLS }) })),
    };
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args = {}, ...more } = params;
  if (name === 'call_tool') {
    const called = { ...more, ...parsed(Call, args, id) };
    const call = inner({ ...request, params: called });
    return { ...call, answer: (serve) => serve(call) };
  }
  if (name !== 'search_tools')
    throw new JsonRpcRefusal(200, INVALID_PARAMS, 'Unknown tool: use search_tools and call_tool', id);
  const { query, limit } = parsed(Search, args, id);
  const list = (cursor: string | undefined) =>
    inner({
      ...request,
      method: 'tools/list',
      params: {
        ...(params['_meta'] !== undefined && { _meta: params['_meta'] }),
        ...(cursor !== undefined && { cursor }),
      },
    });
  return {
    ...list(undefined),
    async answer(serve) {
      const listed: Record<string, unknown>[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const { body, ...answered } = await asJson(await serve(list(cursor)), id);
        const message = objectOrEmpty(typeof body === 'string' ? JSON.parse(body) : undefined);
        const result = objectOrEmpty(message['result']);
        if (!Array.isArray(result['tools'])) return { ...answered, ...(body !== undefined && { body }) };
        listed.push(...result['tools'].filter(isJsonObject));
        cursor = typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;
        if (cursor === undefined) break;
      }
      const found = bestOf(listed, query);
      const tools = found
        .slice(0, limit)
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      const structuredContent = { tools, total: found.length };
      const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
      return jsonAnswer({ jsonrpc: '2.0', id, result: toResult(method, { content, structuredContent }) });
    },
  };
}

function parsed<Output>(schema: z.ZodType<Output>, value: unknown, id: McpRequest['id']): Output {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new JsonRpcRefusal(200, INVALID_PARAMS, `Invalid params: ${z.prettifyError(error)}`, id);
}

/** The tools that match at least one of the words, ordered by their number of matches. A match in the name counts three times. */
function bestOf(tools: readonly Record<string, unknown>[], query: string): Record<string, unknown>[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [...tools];
  const countIn = (text: unknown) => {
    const lower = typeof text === 'string' ? text.toLowerCase() : '';
    return words.filter((word) => lower.includes(word)).length;
  };
  return tools
    .map((tool) => ({ tool, score: 3 * countIn(tool['name']) + countIn(tool['title']) + countIn(tool['description']) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}
