import { setTimeout as delay } from 'node:timers/promises';
import { createFakeMcpServer, listen } from '@millwright/testing';
import type { CallArguments, ToolName } from './run-script.js';

const LONGEST_TOOL_MS = 400;

export interface ReceivedCall extends CallArguments {
  tool: ToolName;
  key: string;
  at: number;
}

/**
 * Starts tools that record every call with its idempotency key, and that are slow on purpose: three plugins, and two tools of an MCP server. One of
 * the MCP server's tools never answers.
 */
export async function startToolServers() {
  const calls: ReceivedCall[] = [];
  const ended = Promise.withResolvers<undefined>();
  async function receive(tool: ToolName, key: unknown, { run, place, changed }: CallArguments): Promise<string> {
    const call = calls.push({ tool, key: String(key), run, place, changed: changed === true, at: Date.now() });
    await delay(LONGEST_TOOL_MS * Math.random());
    return JSON.stringify({ call });
  }
  const plugins = await listen((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      // Answers the request by which the platform checks that a plugin can be reached.
      if (request.method !== 'POST') return void response.end();
      const tool = request.url?.slice(1) as ToolName;
      return void receive(tool, request.headers['idempotency-key'], JSON.parse(text) as CallArguments).then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      );
    });
  });
  const properties = { run: { type: 'integer' }, place: { type: 'string' } };
  const inputSchema = { type: 'object', properties };
  const mcp = await createFakeMcpServer('legacy', [
    { name: 'book', description: 'Books.', inputSchema },
    { name: 'stall', description: 'Never answers.', inputSchema },
  ]);
  mcp.answer = async (name, args, meta) => {
    const tool = name === 'stall' ? 'ledger__stall' : 'ledger__book';
    const text = await receive(tool, meta?.['millwright/idempotency-key'], args as unknown as CallArguments);
    if (name === 'stall') await ended.promise;
    return { content: [{ type: 'text', text }] };
  };
  return {
    calls,
    pluginUrl: (tool: ToolName) => `${plugins.url}/${tool}`,
    mcpUrl: mcp.url,
    close: () => {
      ended.resolve(undefined);
      return Promise.all([plugins.close(), mcp.close()]);
    },
  };
}
export type ToolServers = Awaited<ReturnType<typeof startToolServers>>;
