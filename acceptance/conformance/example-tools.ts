import { setTimeout as delay } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  type CallToolResult,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const STEP_MS = 20;

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Returns the capabilities that a client of 2026-07-28 declares in its request. */
export function declaredBy({ envelope = {} }: ServerContext['mcpReq']): ClientCapabilities {
  return (envelope as Record<string, ClientCapabilities | undefined>)[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

const IMAGE = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text },
});

/** Registers the tools that the runner calls by name. Each tool returns what its scenario expects. */
export function addExampleTools(mcp: McpServer, notify: Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged'>): void {
  const add = (name: string, run: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    mcp.registerTool(name, { description: `Does what its scenario is about: ${name}.` }, run);

  add('test_simple_text', () => textResult('This is a simple text response for testing.'));
  add('test_image_content', () => ({ content: [IMAGE] }));
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }));
  add('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  add('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  add('test_tool_with_logging', async ({ mcpReq }) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: step } });
      await delay(STEP_MS);
    }
    return textResult('Tool with logging executed successfully');
  });
  add('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await delay(STEP_MS);
    }
    return textResult(String(progressToken));
  });
  add('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  add('test_streaming_elicitation', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'token';
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 50, total: 100 } });
    return textResult('Streaming complete');
  });
  add('test_logging_tool', async ({ mcpReq }) => {
    // oxlint-disable-next-line typescript/no-deprecated -- the scenario is about this deprecated call
    await mcpReq.log('info', 'Diagnostic trace logging activated');
    return textResult('Logging evaluated');
  });
  add('test_trigger_tool_change', () => {
    notify.toolsChanged();
    return textResult('Changed');
  });
  add('test_trigger_prompt_change', () => {
    notify.promptsChanged();
    return textResult('Changed');
  });
  mcp.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Keeps the words of its schema.', inputSchema: fromJsonSchema<Record<string, unknown>>(SCHEMA) },
    (args) => textResult(JSON.stringify(args)),
  );
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
