import type { EgressFetch } from '@millwright/egress';
import type {
  Client,
  FetchLike,
  jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Generation } from './generations.js';

export interface McpLimits {
  /** Limit of the total time, in milliseconds: opening the connection, the work and all answers. */
  timeoutMs: number;
  /** Maximum size of one answer, in bytes. */
  maxBytes: number;
}

export interface McpClientOptions extends McpLimits {
  /** The generation to use. Default: the later generation, if the server supports it. */
  generation?: Generation | undefined;
}

/** Replaces the SDK's schema validator and accepts every value. Schemas of upstreams are untrusted, so the SDK must not compile them. */
const noValidation: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/**
 * Works with an MCP server of either generation over a separate connection, and then ends the connection and the server's session.
 * `fetch` adds the server's credential; redirects are refused.
 *
 * @throws NotConnected, EgressError, the SDK's errors, or the reason of a signal
 */
export async function withMcpClient<Result>(
  fetch: EgressFetch,
  url: string,
  { timeoutMs, maxBytes, generation }: McpClientOptions,
  signal: AbortSignal | undefined,
  work: (client: Client, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // Loaded at the first use, because many processes never connect to an MCP server.
  const sdk = await import('@modelcontextprotocol/client');
  const ended = new AbortController();
  const deadline = AbortSignal.timeout(timeoutMs);
  const scope = AbortSignal.any([deadline, ended.signal, ...(signal ? [signal] : [])]);
  const throughEgress: FetchLike = (target, init) =>
    fetch(target, {
      ...init,
      redirect: 'error',
      kind: 'mcp',
      // A GET is the stream that a client of 2025-11-25 opens in addition to its requests.
      stream: init?.method === 'GET',
      signal: AbortSignal.any([scope, ...(init?.signal ? [init.signal] : [])]),
      profile: { timeoutMs, maxBytes },
    });
  const client = new sdk.Client(
    { name: 'millwright', version: '1' },
    {
      versionNegotiation: { mode: generation === 'v2025' ? 'legacy' : 'auto' },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: noValidation,
    },
  );
  // Errors outside a request, such as the end of an event stream, are ignored, because the work does not depend on them.
  client.onerror = () => undefined;
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: throughEgress,
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  try {
    const options = { signal: scope, timeout: timeoutMs };
    return await abandoned(
      scope,
      client.connect(transport, options).then(() => work(client, scope)),
    );
  } finally {
    ended.abort();
    endSession(fetch, url, transport);
    await client.close().catch(() => undefined);
  }
}

/** Limits of a request whose answer is not used. */
const ASIDE: McpLimits = { timeoutMs: 5_000, maxBytes: 64 * 1024 };

/**
 * Ends an unused session (2025-11-25, "Session management"). A failure is ignored, because the session also expires by
 * itself.
 */
function endSession(
  fetch: EgressFetch,
  url: string,
  { sessionId, protocolVersion }: StreamableHTTPClientTransport,
): void {
  if (sessionId === undefined) return;
  const headers = {
    'mcp-session-id': sessionId,
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
  };
  fetch(url, { method: 'DELETE', headers, redirect: 'error', kind: 'mcp', profile: ASIDE })
    .then(({ body }) => body?.cancel())
    .catch(() => undefined);
}

/**
 * Returns the result of the work. Throws the reason of the signal as soon as the signal aborts, without waiting for the
 * work.
 */
export async function abandoned<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
