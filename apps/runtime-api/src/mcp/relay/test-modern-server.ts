import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';

export interface ModernServer {
  url: string;
  seen: { method: string; headers: IncomingHttpHeaders }[];
  /** Tells those who listen that the tools changed. */
  tellChanged: () => void;
  waiting: { begun: PromiseWithResolvers<string>; cancelled: PromiseWithResolvers<string> };
  close: () => Promise<void>;
}

type Listen = (app: RequestListener) => Promise<{ url: string; close: () => Promise<void> }>;

/** An MCP server of 2026-07-28 alone, with the features that a legacy one has. */
export async function startModernServer(listen: Listen): Promise<ModernServer> {
  const waiting = { begun: Promise.withResolvers<string>(), cancelled: Promise.withResolvers<string>() };
  const seen: ModernServer['seen'] = [];
  const handler = createMcpHandler(() => newServer(waiting), { legacy: 'reject' });
  const serve = toNodeHandler(handler);
  const app = await listen((request, response) => {
    seen.push({ method: request.method ?? '', headers: request.headers });
    serve(request, response).catch(() => response.destroy());
  });
  return {
    url: `${app.url}/mcp`,
    seen,
    waiting,
    tellChanged: () => handler.notify.toolsChanged(),
    close: async () => {
      await handler.close();
      await app.close();
    },
  };
}

const said: object = { type: 'string', 'x-mcp-header': 'Said' };
const SAID = fromJsonSchema<{ said: string }>({ type: 'object', properties: { said }, required: ['said'] });

function newServer(waiting: ModernServer['waiting']): McpServer {
  const mcp = new McpServer({ name: 'modern', version: '1' }, { capabilities: { logging: {} } });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  mcp.registerTool('echo', { description: 'Says it again.', inputSchema: SAID }, ({ said }) => text(said));
  mcp.registerTool('count', { description: 'Counts to three.' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (let progress = 1; progressToken !== undefined && progress <= 3; progress++)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    return text('three');
  });
  mcp.registerTool('log', { description: 'Logs.' }, async ({ mcpReq }) => {
    for (const level of ['debug', 'warning'] as const)
      await mcpReq.notify({ method: 'notifications/message', params: { level, data: level } });
    return text('logged');
  });
  mcp.registerTool('wait', { description: 'Waits until it is cancelled.' }, async ({ mcpReq }) => {
    waiting.begun.resolve('begun');
    await once(mcpReq.signal, 'abort');
    waiting.cancelled.resolve('cancelled');
    return text('cancelled');
  });
  mcp.registerTool('greet', { description: 'Asks for a name.' }, () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({ message: 'Who are you?', requestedSchema: { type: 'object', properties: {} } }),
      },
    }),
  );
  mcp.registerPrompt('verse', { description: 'A verse.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Write a verse.' } }],
  }));
  mcp.registerResource('note', 'note://1', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'note://1', text: 'A note.' }],
  }));
  return mcp;
}
