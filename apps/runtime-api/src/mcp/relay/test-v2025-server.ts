import { listen } from '@millwright/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  ErrorCode,
  ListRootsResultSchema,
  McpError,
  SubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export interface SessionServer {
  url: string;
  seen: { method: string; headers: IncomingHttpHeaders }[];
  /** Ids of the sessions that are open. */
  sessions: () => string[];
  /** Ends every session without notifying its client, as a restart does. */
  forget: () => void;
  /** Notifies the clients of all sessions that the tools changed. */
  notifyToolsChanged: () => void;
  /**
   * Requests a name from the client of the session that was opened last, on the stream of the session.
   * @returns the name
   */
  askName: () => Promise<unknown>;
  /** Notifies the subscribers of the note that it changed. */
  notifyResourceUpdated: () => void;
  /** `begun` resolves when the next call of `wait` has begun, and `cancelled` when a call is cancelled. */
  waiting: { begun: PromiseWithResolvers<string>; cancelled: PromiseWithResolvers<string> };
  close: () => Promise<void>;
}

/** An MCP server of the SDK for 2025-11-25, which opens sessions and requires them. */
export async function startSessionServer(): Promise<SessionServer> {
  const waiting = { begun: Promise.withResolvers<string>(), cancelled: Promise.withResolvers<string>() };
  const subscribed = new WeakSet<McpServer>();
  const open = new Map<string, { transport: StreamableHTTPServerTransport; mcp: McpServer }>();
  const seen: SessionServer['seen'] = [];
  const app = await listen((request, response) => {
    seen.push({ method: request.method ?? '', headers: request.headers });
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? open.get(id) : undefined;
    if (typeof id === 'string' && !known) {
      response.writeHead(404).end();
      return;
    }
    void (known ? Promise.resolve(known) : connect()).then(({ transport }) =>
      transport.handleRequest(request, response),
    );
  });

  async function connect() {
    const mcp = newServer(waiting, subscribed);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, { transport, mcp }),
      onsessionclosed: (id) => void open.delete(id),
    });
    await mcp.connect(transport);
    return { transport, mcp };
  }

  return {
    url: `${app.url}/mcp`,
    seen,
    waiting,
    sessions: () => [...open.keys()],
    forget: () => open.clear(),
    notifyToolsChanged: () => {
      for (const { mcp } of open.values()) mcp.sendToolListChanged();
    },
    askName: async () => {
      const { content } = (await [...open.values()].at(-1)?.mcp.server.elicitInput(WHO)) ?? {};
      return content?.['name'];
    },
    notifyResourceUpdated: () => {
      for (const { mcp } of open.values())
        if (subscribed.has(mcp)) void mcp.server.sendResourceUpdated({ uri: 'note://1' });
    },
    close: async () => {
      // Ends the requests that wait for their clients.
      await Promise.all([...open.values()].map(({ mcp }) => mcp.close()));
      await app.close();
    },
  };
}

const WHO = {
  message: 'Who are you?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
};

function newServer(waiting: SessionServer['waiting'], subscribed: WeakSet<McpServer>): McpServer {
  const mcp = new McpServer(
    { name: 'sessions', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  mcp.registerTool('echo', { description: 'Repeats the words.', inputSchema: { words: z.string() } }, ({ words }) =>
    text(words),
  );
  mcp.registerTool('count', { description: 'Counts to three.' }, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken;
    for (let progress = 1; progressToken !== undefined && progress <= 3; progress++)
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    return text('three');
  });
  mcp.registerTool('greet', { description: 'Asks for a name.' }, async ({ sendRequest }) => {
    // Sends the message on the stream of the call, because messages on a session stream that is not open yet are lost.
    const { content } = await sendRequest({ method: 'elicitation/create', params: WHO }, ElicitResultSchema);
    return text(`Hello, ${String(content?.['name'])}`);
  });
  mcp.registerTool('interview', { description: 'Asks two things at once, then a third.' }, async ({ sendRequest }) => {
    const [{ content }, { roots }] = await Promise.all([
      sendRequest({ method: 'elicitation/create', params: WHO }, ElicitResultSchema),
      sendRequest({ method: 'roots/list' }, ListRootsResultSchema),
    ]);
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'A word?' } }];
    const params = { messages, maxTokens: 5 };
    const sampled = await sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
    return text(`${String(content?.['name'])} has ${roots.length} roots: ${JSON.stringify(sampled.content)}`);
  });
  mcp.registerTool('log', { description: 'Logs.' }, async ({ sendNotification }) => {
    for (const level of ['debug', 'warning'] as const)
      await sendNotification({ method: 'notifications/message', params: { level, data: level } });
    return text('logged');
  });
  mcp.registerTool('wait', { description: 'Waits until it is cancelled.' }, async ({ signal }) => {
    waiting.begun.resolve('begun');
    await once(signal, 'abort');
    waiting.cancelled.resolve('cancelled');
    return text('cancelled');
  });
  mcp.registerTool('ask', { description: 'Asks its client.' }, async ({ sendRequest }) => {
    const pong = await sendRequest({ method: 'ping' }, EmptyResultSchema);
    const refused = await sendRequest({ method: 'roots/list' }, ListRootsResultSchema).then(
      () => 'answered',
      (error: unknown) => (error as { code: number }).code,
    );
    return text(`${JSON.stringify(pong)} ${refused}`);
  });
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    if (params.uri !== 'note://1') throw new McpError(ErrorCode.InvalidParams, 'There is no such resource.');
    subscribed.add(mcp);
    return {};
  });
  mcp.registerPrompt('verse', { description: 'A verse.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Write a verse.' } }],
  }));
  mcp.registerResource('note', 'note://1', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'note://1', text: 'A note.' }],
  }));
  return mcp;
}
