import { listen } from '@millwright/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

export interface ModernServer {
  url: string;
  seen: { method: string; headers: IncomingHttpHeaders }[];
  /** Notifies the listeners that the tools changed. */
  notifyToolsChanged: () => void;
  /** Notifies the subscribers of the resource that it changed. */
  notifyResourceUpdated: (uri: string) => void;
  waiting: { begun: PromiseWithResolvers<string>; cancelled: PromiseWithResolvers<string> };
  close: () => Promise<void>;
}

/** An MCP server that supports only 2026-07-28, with the features of the legacy test server. */
export async function startModernServer(): Promise<ModernServer> {
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
    notifyToolsChanged: () => handler.notify.toolsChanged(),
    notifyResourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
    close: async () => {
      await handler.close();
      await app.close();
    },
  };
}

type Answers = ServerContext['mcpReq']['inputResponses'];
const STATE = createRequestStateCodec<{ name: string }>({ key: randomBytes(32), ttlSeconds: 600 });

const words: object = { type: 'string', 'x-mcp-header': 'Words' };
const WORDS = fromJsonSchema<{ words: string }>({ type: 'object', properties: { words }, required: ['words'] });

function newServer(waiting: ModernServer['waiting']): McpServer {
  const mcp = new McpServer(
    { name: 'modern', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } }, requestState: STATE },
  );
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  mcp.registerTool('echo', { description: 'Repeats the words.', inputSchema: WORDS }, ({ words }) => text(words));
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
  const nameOf = (answers: Answers) => {
    const answer = inputResponse(answers, 'name');
    if (answer.kind !== 'elicit') return undefined;
    const given = answer.content?.['name'];
    return typeof given === 'string' ? given : answer.action;
  };
  const name = () =>
    inputRequired.elicit({
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
  mcp.registerTool('greet', { description: 'Asks for a name.' }, ({ mcpReq: { inputResponses } }) => {
    const given = nameOf(inputResponses);
    return given === undefined ? inputRequired({ inputRequests: { name: name() } }) : text(`Hello, ${given}`);
  });
  mcp.registerTool('interview', { description: 'Asks in two rounds.' }, async ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    const roots = inputResponse(inputResponses, 'roots');
    const known = mcpReq.requestState<{ name: string }>();
    if (known && roots.kind === 'roots') return text(`${known.name} has ${roots.roots.length} roots`);
    const given = nameOf(inputResponses);
    if (given === undefined) return inputRequired({ inputRequests: { name: name() } });
    const inputRequests = { roots: inputRequired.listRoots() };
    return inputRequired({ inputRequests, requestState: await STATE.mint({ name: given }) });
  });
  mcp.registerPrompt('verse', { description: 'A verse.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Write a verse.' } }],
  }));
  mcp.registerResource('note', 'note://1', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'note://1', text: 'A note.' }],
  }));
  return mcp;
}
