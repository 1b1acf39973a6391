// @ts-check
import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

/**
 * Makes a request listener that serves MCP with sessions, as the SDK's examples do: with one transport and one server for each session.
 *
 * @param {() => Promise<Connectable> | Connectable} newServer
 * @returns {import('node:http').RequestListener}
 *
 * @typedef {{ connect: (transport: any) => Promise<void> }} Connectable
 */
export function serveSessions(newServer) {
  /** @type {Map<string, NodeStreamableHTTPServerTransport>} */
  const sessions = new Map();
  async function open() {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await (await newServer()).connect(transport);
    return transport;
  }
  return async (request, response) => {
    const transport = sessions.get(String(request.headers['mcp-session-id'])) ?? (await open());
    await transport.handleRequest(request, response);
  };
}
