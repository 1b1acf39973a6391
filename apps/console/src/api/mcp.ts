import { callArea } from './areas.js';
import { ApiError } from './client.js';
import { eventsOf } from './event-stream.js';

/** Result of `tools/call` (MCP). */
export interface ToolAnswer {
  content: { type: string; text?: string; mimeType?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

interface Reply {
  id?: unknown;
  result?: ToolAnswer;
  error?: { message: string };
}

/** Calls a tool through the runtime's MCP relay. @throws ApiError if the MCP server answers with an error or with no result */
export async function callTool(server: string, name: string, args: object, signal?: AbortSignal): Promise<ToolAnswer> {
  const answer = await callArea('runtime', 'POST', `/api/v1/mcp/${server}/mcp`, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' },
    signal,
  });
  const reply = await replyIn(answer);
  const failed = (text: string) => new ApiError(answer.status, 'tool_failed', text, answer.headers.get('x-request-id'));
  if (reply?.error) throw failed(reply.error.message);
  if (!reply?.result) throw failed('The server ended its answer before it was complete.');
  return reply.result;
}

async function replyIn(answer: Response): Promise<Reply | undefined> {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || !answer.body) return (await answer.json()) as Reply;
  for await (const { data } of eventsOf(answer.body)) {
    const message = JSON.parse(data) as Reply;
    if (message.id === 1) return message;
  }
  return undefined;
}
