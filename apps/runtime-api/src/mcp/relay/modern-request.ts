import type { McpRequest } from '../json-rpc.js';
import { NAMED_BY } from './client-era.js';
import {
  CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  legacyMeta,
  LOG_LEVEL_KEY,
  metaOf,
  MODERN,
  TRACING,
  VERSION_KEY,
} from './modern-terms.js';
import { headerValue, paramHeaders } from './param-headers.js';
import { JSON_HEADERS } from './upstream-session.js';

interface Knowledge {
  /** Of the arguments of the tool that is called. */
  schema?: unknown;
  /** From which on the client wants to hear log messages. */
  logLevel?: string | null | undefined;
  /** What the client can be asked. */
  capabilities?: object;
}

/** A legacy client's request as 2026-07-28 has it: who asks is in every one, and headers say what the body says. */
export function modernRequest(
  { id, method, params }: McpRequest,
  clientHeaders: Readonly<Record<string, string>>,
  { schema, logLevel, capabilities = {} }: Knowledge,
) {
  const named = params[NAMED_BY[method] ?? ''];
  const headers = {
    ...Object.fromEntries(Object.entries(clientHeaders).filter(([name]) => TRACING.includes(name))),
    ...JSON_HEADERS,
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': headerValue(named) }),
    ...paramHeaders(schema, params['arguments']),
  };
  const _meta = {
    ...legacyMeta(metaOf(params)),
    [VERSION_KEY]: MODERN,
    [CAPABILITIES_KEY]: capabilities,
    [CLIENT_INFO_KEY]: { name: 'millwright', version: '1' },
    ...(typeof logLevel === 'string' && { [LOG_LEVEL_KEY]: logLevel }),
  };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }) };
}
