// @ts-check
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveSessions } from './relay-sessions.mjs';

/** An MCP server with one tool. Its arguments are the port and the era. */
const [port, era] = process.argv.slice(2);
const WORDS = fromJsonSchema({ type: 'object', properties: { words: { type: 'string' } }, required: ['words'] });
const newServer = () => {
  const mcp = new McpServer({ name: 'bench', version: '1' });
  mcp.registerTool(
    'echo',
    { description: 'Repeats the words.', inputSchema: WORDS },
    (/** @type {any} */ { words }) => ({
      content: [{ type: 'text', text: words }],
    }),
  );
  return mcp;
};
const serve =
  era === 'modern' ? toNodeHandler(createMcpHandler(newServer, { legacy: 'reject' })) : serveSessions(newServer);
createServer(serve).listen(Number(port), '127.0.0.1');
