import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@millwright/testing';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

export interface TaskServer {
  url: string;
  close: () => Promise<void>;
}

/** Starts a server of the SDK for 2025-11-25 whose tools are called as tasks. Each task ends after 50 ms, fails, or never ends. */
export async function startLegacyTaskServer(): Promise<TaskServer> {
  const store = new InMemoryTaskStore();
  const open = new Map<string, StreamableHTTPServerTransport>();

  async function connect(): Promise<StreamableHTTPServerTransport> {
    const mcp = new McpServer(
      { name: 'tasks', version: '1' },
      { capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore: store },
    );
    mcp.experimental.tasks.registerToolTask(
      'slow',
      { description: 'Ends later.', inputSchema: { end: z.string() }, execution: { taskSupport: 'required' } },
      {
        async createTask({ end }, { taskStore }) {
          const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
          const result = { content: [{ type: 'text' as const, text: `Ended: ${end}` }], isError: end === 'badly' };
          if (end !== 'never')
            setTimeout(() => void taskStore.storeTaskResult(task.taskId, 'completed', result), 50).unref();
          return { task };
        },
        getTask: async (_args, { taskStore, taskId }) => taskStore.getTask(taskId),
        getTaskResult: async (_args, { taskStore, taskId }) =>
          (await taskStore.getTaskResult(taskId)) as { content: [] },
      },
    );
    mcp.registerTool('quick', { description: 'Ends at once.' }, () => ({
      content: [{ type: 'text', text: 'Quick.' }],
    }));
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, transport),
    });
    await mcp.connect(transport);
    return transport;
  }

  const app = await listen((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? open.get(id) : undefined;
    if (typeof id === 'string' && !known) response.writeHead(404).end();
    else
      void (known ? Promise.resolve(known) : connect()).then((transport) => transport.handleRequest(request, response));
  });
  return {
    url: `${app.url}/mcp`,
    async close() {
      await Promise.all([...open.values()].map((transport) => transport.close()));
      store.cleanup();
      await app.close();
    },
  };
}

interface Asked {
  id: number | string;
  method: string;
  params: {
    name?: string;
    taskId?: string;
    inputResponses?: Record<string, { content?: { name?: string } }>;
    _meta?: Record<string, { extensions?: object }>;
  };
}

export interface ModernTaskServer extends TaskServer {
  /** Methods about tasks that the server received, with the header that names the task. */
  seen: { method: string; name: string | undefined }[];
}

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/**
 * A server of 2026-07-28 with the Tasks extension. It is written from the text of the specification, because no SDK has the extension.
 * `work` is a task whose status is `working` in two polls, `greet` a task that requests a name, `fail` a task that fails, and `hang` a task that never ends.
 */
export async function startModernTaskServer(): Promise<ModernTaskServer> {
  const tasks = new Map<string, { tool: string; polls: number; name?: string | undefined; isCancelled?: boolean }>();
  const seen: ModernTaskServer['seen'] = [];
  const base = {
    createdAt: '2026-11-26T00:00:00Z',
    lastUpdatedAt: '2026-11-26T00:00:00Z',
    ttlMs: 60_000,
    pollIntervalMs: 10,
  };
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

  function stateOf(taskId: string): object {
    const task = tasks.get(taskId);
    if (!task) throw Object.assign(new Error('Task not found'), { code: -32602 });
    const shown = { ...base, taskId, resultType: 'complete' };
    if (task.isCancelled) return { ...shown, status: 'cancelled' };
    if (task.tool === 'greet') {
      if (task.name !== undefined) return { ...shown, status: 'completed', result: text(`Hello, ${task.name}`) };
      const params = {
        mode: 'form',
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      };
      return { ...shown, status: 'input_required', inputRequests: { who: { method: 'elicitation/create', params } } };
    }
    if (task.tool === 'hang' || (task.polls += 1) < 3)
      return { ...shown, status: 'working', statusMessage: 'At work.' };
    if (task.tool === 'fail') return { ...shown, status: 'failed', error: { code: -32603, message: 'It broke.' } };
    return { ...shown, status: 'completed', result: { ...text('Worked.'), isError: false } };
  }

  function answerTo({ method, params }: Asked): object {
    if (method === 'server/discover')
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, ...TASKS },
        ttlMs: 0,
        cacheScope: 'private',
      };
    const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
    if (method === 'tools/list')
      return {
        resultType: 'complete',
        tools: ['work', 'greet', 'fail', 'hang'].map(tool),
        ttlMs: 0,
        cacheScope: 'private',
      };
    const taskId = params.taskId ?? '';
    if (method === 'tools/call') {
      const declared = params._meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions ?? {};
      if (!('io.modelcontextprotocol/tasks' in declared))
        throw Object.assign(new Error('Missing required client capability'), {
          code: -32021,
          data: { requiredCapabilities: TASKS },
        });
      const id = randomUUID();
      tasks.set(id, { tool: params.name ?? '', polls: 0 });
      return { ...base, resultType: 'task', taskId: id, status: 'working' };
    }
    if (method === 'tasks/get') return stateOf(taskId);
    const task = tasks.get(taskId);
    if (method === 'tasks/update' && task) task.name = params.inputResponses?.['who']?.content?.name;
    if (method === 'tasks/cancel' && task) task.isCancelled = true;
    if (task && /^tasks\/(update|cancel)$/.test(method)) return { resultType: 'complete' };
    throw Object.assign(new Error('Method not found'), { code: -32601 });
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: string): void {
    const asked = JSON.parse(body) as Asked;
    const name = request.headers['mcp-name'];
    if (asked.method.startsWith('tasks/')) seen.push({ method: asked.method, name: String(name) });
    const send = (status: number, message: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...message }));
    try {
      if (request.headers['mcp-protocol-version'] !== '2026-07-28')
        throw Object.assign(new Error('Unsupported'), { code: -32022, data: { supported: ['2026-07-28'] } });
      send(200, { result: answerTo(asked) });
    } catch (error) {
      const { code, message, data } = error as { code?: number; message: string; data?: unknown };
      send(code === -32022 || code === -32021 ? 400 : 200, { error: { code: code ?? -32603, message, data } });
    }
  }

  const app = await listen((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => serve(request, response, body));
  });
  return { url: `${app.url}/mcp`, seen, close: () => app.close() };
}
