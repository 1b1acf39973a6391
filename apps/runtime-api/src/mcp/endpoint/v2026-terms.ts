import { isJsonObject, type JsonObject } from '@millwright/json';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { type ServerProbe } from '@millwright/mcp';
import { JSON_HEADERS } from '@millwright/mcp/server-sessions';
import { toMessage, type ServerMessage } from '@millwright/mcp/messages';
import { INVALID_PARAMS, METHOD_NOT_FOUND, textOf, type McpRequest } from '@millwright/mcp/json-rpc';

export const V2026 = '2026-07-28';
/** The versions in which clients can use a server of 2025-11-25, the latest version first. */
export const SUPPORTED_VERSIONS = [V2026, ...SUPPORTED_PROTOCOL_VERSIONS];
const PREFIX = 'io.modelcontextprotocol/';
const PARAM_PREFIX = 'mcp-param-';
export const VERSION_KEY = `${PREFIX}protocolVersion`;
export const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
export const CLIENT_INFO_KEY = `${PREFIX}clientInfo`;
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
export const SERVER_INFO_KEY = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_KEY = `${PREFIX}subscriptionId`;

/** Error code that exists only in 2025-11-25. */
const RESOURCE_NOT_FOUND = -32002;

/** The methods that exist in both versions and consist of one request and one answer. */
export const IN_BOTH_VERSIONS: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** Methods whose results state for how long clients may cache them (2026-07-28, "Caching"). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const V2026_ONLY = ['resultType', 'ttlMs', 'cacheScope'];

/** Log levels in ascending order (2025-11-25 and 2026-07-28, "Logging"). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Trace headers of clients. Every version of MCP allows them (W3C Trace Context). */
export const TRACING = ['traceparent', 'tracestate'];

/** Returns the value if it is a JSON object, else an empty object. */
export const objectOrEmpty = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const metaOf = (params: unknown) => (objectOrEmpty(params)['_meta'] ?? {}) as Record<string, unknown>;

/** Returns `_meta` without the keys that only 2026-07-28 has. */
export function toV2025Meta(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith(PREFIX)));
}

/** Converts a 2025-11-25 result to 2026-07-28. The converted result is complete, names the server, and may not be cached. */
export function toV2026Result(method: string, result: unknown, { info }: Pick<ServerProbe, 'info'>): object {
  return {
    ...(result as object | null),
    resultType: 'complete',
    ...(CACHEABLE.has(method) && { ttlMs: 0, cacheScope: 'private' }),
    _meta: { ...metaOf(result), [SERVER_INFO_KEY]: info },
  };
}

/** Removes the members that only 2026-07-28 defines from a result. */
export function toV2025Result(result: unknown): object {
  return Object.fromEntries(Object.entries(result ?? {}).filter(([name]) => !V2026_ONLY.includes(name)));
}

/**
 * Converts an error. An unknown method gets the status 404, and an unknown resource becomes an invalid parameter (2026-07-28, "Error
 * codes").
 */
export function toV2026Error(error: unknown): { status: number; reply: object } {
  const { code } = objectOrEmpty(error);
  if (code === METHOD_NOT_FOUND) return { status: 404, reply: { error } };
  if (code !== RESOURCE_NOT_FOUND) return { status: 200, reply: { error } };
  return { status: 200, reply: { error: { ...objectOrEmpty(error), code: INVALID_PARAMS } } };
}

/** Whether a log message has at least this level. `false` when no level is set. */
export function meetsLogLevel(message: ServerMessage, level: unknown): boolean {
  const params = toMessage(message.params);
  const own = params && 'level' in params ? params.level : undefined;
  const lowest = LOG_LEVELS.indexOf(textOf(level));
  return lowest >= 0 && LOG_LEVELS.indexOf(textOf(own)) >= lowest;
}

/** For each method, the parameter that the header `Mcp-Name` repeats. */
export const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  // These methods are named in the Tasks extension, "Streamable HTTP: Routing Headers".
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Returns headers for a request that this installation makes for a client. The headers repeat parts of the request's body. */
export function toV2026Headers(
  headers: Readonly<Record<string, string>>,
  { method, params }: Pick<McpRequest, 'method' | 'params'>,
): Record<string, string> {
  const named = params[NAMED_BY[method] ?? ''];
  const kept = Object.entries(headers).filter(([name]) => name !== 'mcp-name' && !name.startsWith(PARAM_PREFIX));
  return {
    ...Object.fromEntries(kept),
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': headerValue(named) }),
  };
}

interface RequestTerms {
  /** JSON Schema of the called tool's arguments. */
  schema?: unknown;
  /** The lowest level of log messages that the client receives. */
  logLevel?: string | null | undefined;
  /** Capabilities that the client has declared. */
  capabilities?: object;
}

/** Converts a 2025-11-25 request to 2026-07-28. The converted request names its client, and its headers repeat parts of its body. */
export function toV2026Request(
  { id, method, params }: McpRequest,
  clientHeaders: Readonly<Record<string, string>>,
  { schema, logLevel, capabilities = {} }: RequestTerms,
) {
  const named = params[NAMED_BY[method] ?? ''];
  const headers = {
    ...Object.fromEntries(Object.entries(clientHeaders).filter(([name]) => TRACING.includes(name))),
    ...JSON_HEADERS,
    'mcp-protocol-version': V2026,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': headerValue(named) }),
    ...paramHeaders(schema, params['arguments']),
  };
  const _meta = {
    ...toV2025Meta(metaOf(params)),
    [VERSION_KEY]: V2026,
    [CAPABILITIES_KEY]: capabilities,
    [CLIENT_INFO_KEY]: { name: 'millwright', version: '1' },
    ...(typeof logLevel === 'string' && { [LOG_LEVEL_KEY]: logLevel }),
  };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }) };
}

/** A property of a tool's arguments whose value a header of the request repeats. */
interface Mirrored {
  path: string[];
  header: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const PLAIN = /^[\x20-\x7e]+$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** The headers that repeat arguments of a call (2026-07-28, "Custom headers from tool parameters"). */
export function paramHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  return Object.fromEntries(
    mirrored(inputSchema).flatMap(({ path, header }) => {
      const value = text(path.reduce(memberOf, args));
      return value === undefined ? [] : [[`${PARAM_PREFIX}${header.toLowerCase()}`, headerValue(value)]];
    }),
  );
}

/** Encodes a header value (2026-07-28, "Encoding of header values"). */
function headerValue(value: string): string {
  if (PLAIN.test(value) && value === value.trim() && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function mirrored(schema: unknown, path: string[] = []): Mirrored[] {
  const { properties, 'x-mcp-header': header } = objectOrEmpty(schema);
  const own = typeof header === 'string' && TOKEN.test(header) ? [{ path, header }] : [];
  if (typeof properties !== 'object' || properties === null) return own;
  return [...own, ...Object.entries(properties).flatMap(([name, child]) => mirrored(child, [...path, name]))];
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isHolder ? (value as Record<string, unknown>)[name] : undefined;
}

/**
 * The text of a value for a header. `undefined` for fractions, and for integers that a parser may round, because implementations may write
 * them in different ways.
 */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The Tasks extension of 2026-07-28. In 2025-11-25, tasks are part of the protocol itself. */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** The capability of a client that allows servers of 2026-07-28 to answer a call with a task. */
export const TASK_CAPABILITY = { extensions: { [TASKS]: {} } };

/** Whether the capabilities of a client or a server of 2026-07-28 include tasks. */
export const hasTaskExtension = (capabilities: unknown): boolean =>
  TASKS in objectOrEmpty(objectOrEmpty(capabilities)['extensions']);

/** Whether a server of 2025-11-25 can run tool calls as tasks. */
export function makesTasksOfCalls(capabilities: unknown): boolean {
  const { requests } = objectOrEmpty(objectOrEmpty(capabilities)['tasks']);
  return 'call' in objectOrEmpty(objectOrEmpty(requests)['tools']);
}

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a task with this status has ended. Both versions use the same names of statuses. */
export const hasTaskEnded = (status: unknown): boolean => ENDED.has(status);

/** Returns the task that a server created instead of answering the call; otherwise undefined (Tasks extension, "Task Creation"). */
export function createdTask(result: unknown): Record<string, unknown> | undefined {
  const task = objectOrEmpty(result);
  return task['resultType'] === 'task' && typeof task['taskId'] === 'string' ? task : undefined;
}

/** Converts a task of 2025-11-25. The task has no open input requests, because it runs in a session that declares no input requests. */
export function toV2026Task(task: unknown): Record<string, unknown> {
  const { ttl = null, pollInterval, status, ...rest } = objectOrEmpty(task);
  return {
    ...rest,
    status: status === 'input_required' ? 'working' : status,
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}
