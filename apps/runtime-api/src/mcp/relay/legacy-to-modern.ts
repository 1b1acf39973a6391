import { openHeaders, withMcpClient, type McpLimits, type SecretBox } from '@millwright/catalog';
import type { EgressFetch } from '@millwright/egress';
import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpMessage } from '../json-rpc.js';
import type { McpCall } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import type { RelayedServer } from './relayed-server.js';
import { withoutUnoffered, type Offered } from './tool-guard.js';
import { unavailable, type BreakerOf } from './upstream-call.js';

export interface Translation {
  server: RelayedServer;
  call: McpCall;
  seen: Seen;
  offered: Offered;
}

type McpRequest = Extract<McpMessage, { kind: 'request' }>;

const LIMITS: McpLimits = { timeoutMs: 60_000, maxBytes: 16 * 1_048_576 };
const LATEST_LEGACY = '2025-11-25';
const METHOD_NOT_FOUND = -32601;

/** What both eras have, asked and answered in one exchange. */
const TRANSLATED = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

const MODERN_ONLY = ['resultType', 'ttlMs', 'cacheScope'];

const AnyResult = z.looseObject({});

/** Legacy client, modern server: each request is asked as a client of the modern era, and answered without a session. */
export function createTranslator(deps: { fetch: EgressFetch; box: SecretBox; breakerOf: BreakerOf }) {
  const { fetch, box, breakerOf } = deps;

  async function ask(server: RelayedServer, { signal }: McpCall, request: McpRequest): Promise<object> {
    const pass = breakerOf(server).admit();
    if (!pass) throw unavailable(request.id);
    const upstream = { url: server.url, headers: openHeaders(box, server.id, server.headers) };
    try {
      const reply = await withMcpClient(fetch, upstream, LIMITS, signal, (client, scope) =>
        replyOf(client, scope, request),
      );
      pass.succeeded();
      return reply;
    } catch (error) {
      if (signal.aborted) pass.abandoned();
      else pass.failed();
      throw unavailable(request.id, error);
    }
  }

  /** @throws JsonRpcRefusal */
  return async ({ server, call, seen, offered }: Translation): Promise<Response> => {
    const { message } = call;
    if (!message) return new Response(null, { status: 405, headers: { Allow: 'POST' } });
    if (message.kind !== 'request') return new Response(null, { status: 202 });
    const answer = (reply: object) => Response.json({ jsonrpc: '2.0', id: message.id, ...reply });
    if (message.method === 'initialize') return answer({ result: introduction(seen, message.params) });
    if (message.method === 'ping') return answer({ result: {} });
    if (!TRANSLATED.has(message.method))
      return answer({ error: { code: METHOD_NOT_FOUND, message: 'Method not found' } });
    return answer(withoutUnoffered(await ask(server, call, message), offered) as object);
  };
}

/** 2025-11-25, "Initialization": the version asked for where we have it, and what can be carried across. */
function introduction({ capabilities, info, instructions }: Seen, { protocolVersion: asked }: McpRequest['params']) {
  const isKnown = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  const { tools, prompts, resources, completions } = capabilities;
  return {
    protocolVersion: isKnown ? asked : LATEST_LEGACY,
    capabilities: {
      ...(tools && { tools: {} }),
      ...(prompts && { prompts: {} }),
      ...(resources && { resources: {} }),
      ...(completions && { completions: {} }),
    },
    serverInfo: info,
    ...(instructions !== undefined && { instructions }),
  };
}

/** An error is an answer too. */
async function replyOf(client: Client, signal: AbortSignal, { method, params }: McpRequest): Promise<object> {
  try {
    const result = await client.request({ method, params: { ...params, _meta: undefined } }, AnyResult, {
      signal,
      timeout: LIMITS.timeoutMs,
    });
    return { result: inLegacyTerms(result) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}

/** Without what only 2026-07-28 knows. */
function inLegacyTerms(result: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !MODERN_ONLY.includes(name)));
}
