import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

interface CallResult {
  isError?: boolean | undefined;
  content: { type: string; text?: string }[];
}

/** The common interface of the official SDKs' clients of both eras. */
export interface McpClient {
  tools: () => Promise<string[]>;
  call: (name: string, args: object, onprogress?: () => void) => Promise<CallResult>;
  prompts: () => Promise<string[]>;
  resources: () => Promise<string[]>;
  /** Subscribes to changes of the server's tools. Notifications arrive after this resolves. */
  onToolsChanged: (listener: () => void) => Promise<void>;
  close: () => Promise<void>;
}

export type Connect = (endpoint: string, token: string) => Promise<McpClient>;

const INFO = { name: 'acceptance', version: '1' };
const headersOf = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const names = (list: { name: string }[]) => list.map(({ name }) => name);

/** Connects by `@modelcontextprotocol/client`, for 2026-07-28. */
export const connectModern: Connect = async (endpoint, token) => {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), headersOf(token)));
  if (client.getProtocolEra() !== 'modern') throw new Error('the relay was not taken for a server of the modern era');
  return {
    tools: async () => names((await client.listTools()).tools),
    call: async (name, args, onprogress) =>
      await client.callTool({ name, arguments: { ...args } }, { ...(onprogress && { onprogress }) }),
    prompts: async () => names((await client.listPrompts()).prompts),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    onToolsChanged: async (listener) => {
      client.setNotificationHandler('notifications/tools/list_changed', listener);
      await client.listen({ toolsListChanged: true });
    },
    close: () => client.close(),
  };
};

/** Connects by `@modelcontextprotocol/sdk`, for the MCP versions with sessions. */
export const connectLegacy: Connect = async (endpoint, token) => {
  const client = new LegacyClient(INFO);
  await client.connect(new LegacyTransport(new URL(endpoint), headersOf(token)));
  return {
    tools: async () => names((await client.listTools()).tools),
    call: async (name, args, onprogress) => {
      const options = { ...(onprogress && { onprogress }) };
      return (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as CallResult;
    },
    prompts: async () => names((await client.listPrompts()).prompts),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    onToolsChanged: (listener) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, listener);
      return Promise.resolve();
    },
    close: () => client.close(),
  };
};
