// @ts-check
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

/** An MCP server of 2026-07-28 with one tool, on the port that it is given. */
const SAID = fromJsonSchema({ type: 'object', properties: { said: { type: 'string' } }, required: ['said'] });
const handler = createMcpHandler(
  () => {
    const mcp = new McpServer({ name: 'bench', version: '1' });
    mcp.registerTool('echo', { description: 'Says it again.', inputSchema: SAID }, (/** @type {any} */ { said }) => ({
      content: [{ type: 'text', text: said }],
    }));
    return mcp;
  },
  { legacy: 'reject' },
);
createServer(toNodeHandler(handler)).listen(Number(process.argv[2]), '127.0.0.1');
