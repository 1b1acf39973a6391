import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../json-rpc.js';
import type { Seen } from './inspect.js';
import type { UpstreamMessage } from './translated-answer.js';

export const MODERN = '2026-07-28';
/** What a server of the legacy era is offered in, modern first. */
export const SUPPORTED_VERSIONS = [MODERN, ...SUPPORTED_PROTOCOL_VERSIONS];
const PREFIX = 'io.modelcontextprotocol/';
export const VERSION_KEY = `${PREFIX}protocolVersion`;
export const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
export const CLIENT_INFO_KEY = `${PREFIX}clientInfo`;
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`;
export const SERVER_INFO_KEY = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_KEY = `${PREFIX}subscriptionId`;

/** Only the legacy era has it. */
const RESOURCE_NOT_FOUND = -32002;

/** What both eras have, asked and answered in one exchange. */
export const IN_BOTH_ERAS: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** 2026-07-28, "Caching": what says how long it holds. */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const MODERN_ONLY = ['resultType', 'ttlMs', 'cacheScope'];

/** In the order of their weight (2025-11-25 and 2026-07-28, "Logging"). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What of a client's headers belongs to neither era (W3C Trace Context, Baggage). */
export const TRACING = ['traceparent', 'tracestate', 'baggage'];

export const metaOf = (params: unknown) =>
  ((params as { _meta?: unknown } | null | undefined)?._meta ?? {}) as Record<string, unknown>;

/** `_meta` without what only 2026-07-28 knows. */
export function legacyMeta(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith(PREFIX)));
}

/** A result of a legacy server as one of 2026-07-28: complete, from whom, and kept by nobody. */
export function modernResult(method: string, result: unknown, { info }: Pick<Seen, 'info'>): object {
  return {
    ...(result as object | null),
    resultType: 'complete',
    ...(CACHEABLE.has(method) && { ttlMs: 0, cacheScope: 'private' }),
    _meta: { ...metaOf(result), [SERVER_INFO_KEY]: info },
  };
}

/** A result of a modern server without what only 2026-07-28 knows. */
export function legacyResult(result: unknown): object {
  return Object.fromEntries(Object.entries(result ?? {}).filter(([name]) => !MODERN_ONLY.includes(name)));
}

/** 2026-07-28, "Error codes": a method that is unknown is 404, and a resource that is not there a wrong parameter. */
export function modernError(error: unknown): { status: number; reply: object } {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === METHOD_NOT_FOUND) return { status: 404, reply: { error } };
  if (code !== RESOURCE_NOT_FOUND) return { status: 200, reply: { error } };
  return { status: 200, reply: { error: { ...(error as object), code: INVALID_PARAMS } } };
}

/** A log message that is at least as weighty as the level; none without one. */
export function isLoud(message: UpstreamMessage, level: unknown): boolean {
  const { level: said } = (message.params ?? {}) as { level?: unknown };
  return LOG_LEVELS.includes(String(level)) && LOG_LEVELS.indexOf(String(said)) >= LOG_LEVELS.indexOf(String(level));
}
