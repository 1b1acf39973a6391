import { Readable } from 'node:stream';
import type { Scope } from '@millwright/auth';
import type { RunnableSkill } from '@millwright/catalog';
import type { ListedSkill, PromptSkillStore } from '@millwright/catalog/lists';
import { guardTree } from '@millwright/http';
import { serviceVersion, type Logger } from '@millwright/http/process';
import { isEventStream } from '@millwright/mcp/messages';
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type GetPromptResult,
  type McpRequestContext,
  type Prompt,
} from '@modelcontextprotocol/server';
import type { ContentStore } from '../../content/content.store.js';
import { INVALID_PARAMS, JsonRpcRefusal, type McpMessage } from '@millwright/mcp/json-rpc';
import {
  eventsAnswer,
  type InputWay,
  type McpAnswer,
  type McpCall,
  type McpTarget,
  type ToolCallContext,
} from '../endpoint/mcp-call.js';
import type { BuiltinSessions } from './builtin-sessions.js';
import { builtinScopesOf, type BuiltinTools } from './tools.js';

export interface BuiltinDeps {
  tools: BuiltinTools;
  skills: PromptSkillStore;
  content: Pick<ContentStore, 'find' | 'listResources'>;
  sessions: BuiltinSessions;
  logger: Pick<Logger, 'error'>;
}

/** A call with the way in which its client can receive input requests. */
type AskableCall = McpCall & Pick<ToolCallContext, 'input'>;

const CONTENT_URI = 'millwright://content/';

/** The built-in MCP server. Its prompts are skills, its resources are content items, and its tools are agents. */
export function createBuiltinServer(deps: BuiltinDeps): McpTarget {
  const handler = createMcpHandler(
    (context) => newServer(deps, requireCall(context)),
    // No keep-alive comments of the SDK, because the endpoint sends such comments itself.
    { legacy: 'stateless', keepAliveMs: 0 },
  );

  async function serve(call: McpCall, input: InputWay | undefined): Promise<McpAnswer> {
    const { principal, method, message } = call;
    const headers = new Headers(call.headers);
    headers.delete('mcp-session-id');
    // The SDK requires both types. The endpoint converts the answer to JSON for a client that accepts no stream.
    headers.set('accept', 'application/json, text/event-stream');
    const init = { method, headers, signal: call.signal };
    const web = new Request(call.url, message ? { ...init, body: call.body } : init);
    const extra = { call: { ...call, input } satisfies AskableCall };
    const authInfo = { token: '', clientId: principal.credential.id, scopes: [...principal.scopes], extra };
    return answerOf(await handler.fetch(web, { authInfo }), call.signal);
  }

  return {
    scopesOf: builtinScopesOf,
    async serve(call: McpCall): Promise<McpAnswer> {
      requireStorable(call.message);
      return deps.sessions(call, serve);
    },
  };
}

async function answerOf(response: Response, signal: AbortSignal): Promise<McpAnswer> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  if (!body || !isEventStream(response)) return { status, headers, body: await response.text() };
  // When the client disconnects, the signal cancels the stream even if nothing reads it. The tool call then ends too.
  return eventsAnswer(Readable.fromWeb(body, { signal, encoding: 'utf8' }), headers);
}

/** Refuses messages with NUL or deeply nested values, because tools cannot store such values or search for them. @throws JsonRpcRefusal */
function requireStorable(message: McpMessage | undefined): void {
  if (message?.kind !== 'request') return;
  try {
    guardTree(message.params);
  } catch (cause) {
    const text = 'Invalid params: too deep, or text that cannot be stored';
    throw new JsonRpcRefusal(200, INVALID_PARAMS, text, message.id, { cause });
  }
}

/** Returns the call that `serve` passed to the SDK as `authInfo`. */
function requireCall({ authInfo }: McpRequestContext): AskableCall {
  const call = authInfo?.extra?.['call'] as AskableCall | undefined;
  if (!call) throw new Error('The MCP request has no caller.');
  return call;
}

function newServer({ tools, skills, content, logger }: BuiltinDeps, call: AskableCall): McpServer {
  const { principal, from, signal } = call;
  const { project } = principal;
  const may = (scope: Scope) => principal.scopes.has(scope);
  const mcp = new McpServer(
    { name: 'millwright', title: 'Millwright', version: serviceVersion },
    { capabilities: { tools: {}, prompts: {}, resources: {} } },
  );
  /** Logs an unexpected error and replaces it by a general error, because the SDK would send its text to the client. */
  const answering =
    <Request, Answer>(answer: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      try {
        return await answer(request);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        if (!signal.aborted) logger.error({ err: error, request_id: from.requestId }, 'the built-in MCP server failed');
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
      }
    };
  // Uses the low-level server, because `McpServer` has fixed lists of tools, prompts and resources. Here, the lists depend on the caller.
  const { server } = mcp;
  server.setRequestHandler(
    'tools/list',
    answering(async ({ params }) => {
      const { tools: page, next } = await tools.list(principal, params?.cursor);
      return { tools: page, ...(next !== undefined && { nextCursor: next }) };
    }),
  );
  server.setRequestHandler(
    'tools/call',
    answering(({ params }) => tools.call(call, params.name, params.arguments ?? {})),
  );

  server.setRequestHandler(
    'prompts/list',
    answering(async ({ params }) => {
      if (!may('skills:read')) return { prompts: [] };
      const { skills: page, next } = await skills.list(project, params?.cursor ?? '');
      return { prompts: page.map(toPrompt), ...(next !== undefined && { nextCursor: next }) };
    }),
  );
  server.setRequestHandler(
    'prompts/get',
    answering(async ({ params }) => {
      const skill = await skills.find(project, params.name);
      if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
      return renderPrompt(skill, params.arguments ?? {});
    }),
  );

  server.setRequestHandler(
    'resources/list',
    answering(async ({ params }) => {
      if (!may('content:read')) return { resources: [] };
      const page = await content.listResources(project, params?.cursor);
      if (!page) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor is unknown');
      const resources = page.items.map(({ id, slug, title }) => ({
        uri: `${CONTENT_URI}${id}`,
        name: slug,
        title,
        mimeType: 'text/plain',
      }));
      return { resources, ...(page.next !== undefined && { nextCursor: page.next }) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: `${CONTENT_URI}{content_id}`, name: 'content', mimeType: 'text/plain' }],
  }));
  server.setRequestHandler(
    'resources/read',
    answering(async ({ params: { uri } }) => {
      const id = uri.startsWith(CONTENT_URI) ? uri.slice(CONTENT_URI.length) : '';
      const found = await content.find(project, id);
      if (!found) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: 'text/plain', text: found.record.content }] };
    }),
  );
  return mcp;
}

type Parameter = RunnableSkill['parameters'][string];

/** Converts a skill to a prompt. The skill's parameters become the prompt's arguments. */
function toPrompt({ name, description, parameters }: ListedSkill): Prompt {
  const entries = Object.entries(parameters);
  return {
    name,
    description,
    arguments: entries.map(([parameter, definition]) => ({
      name: parameter,
      description: describe(definition),
      required: definition.default === undefined,
    })),
  };
}

function describe({ type, enum: values, default: fallback }: Parameter): string {
  const among = values ? `, one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
  return `${type}${among}${fallback === undefined ? '' : `, ${JSON.stringify(fallback)} by default`}`;
}

/**
 * Renders the skill's instructions with these arguments.
 * @throws ProtocolError -32602 for an invalid argument, whose name is in the message
 */
function renderPrompt(skill: RunnableSkill, args: Readonly<Record<string, string>>): GetPromptResult {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(skill.parameters, name));
  if (unknown !== undefined) throw invalid(unknown, 'is no argument of this prompt');
  const lines = Object.entries(skill.parameters).flatMap(([name, definition]) => {
    const value = valueOf(name, definition, Object.hasOwn(args, name) ? args[name] : undefined);
    return `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  const text = [skill.instructions, ...(lines.length > 0 ? [`Parameters:\n${lines.join('\n')}`] : [])].join('\n\n');
  return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Parses an argument. The protocol sends arguments of every type as strings. */
function valueOf(name: string, { type, enum: values, default: fallback }: Parameter, text: string | undefined) {
  if (text === undefined) {
    if (fallback === undefined) throw invalid(name, 'is required');
    return fallback;
  }
  const value = converted(type, text);
  if (value === undefined) throw invalid(name, `must be of type ${type}`);
  if (values && !values.includes(value)) throw invalid(name, `must be ${describe({ type, enum: values })}`);
  return value;
}

function converted(type: Parameter['type'], text: string): string | number | boolean | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

function invalid(name: string, reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} ${reason}`);
}
