import { openHeaders, type SecretBox } from '@millwright/catalog';
import type { Breaker, EgressFetch } from '@millwright/egress';
import { INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from '../json-rpc.js';
import type { RelayedServer } from './relayed-server.js';

export interface UpstreamRequest {
  method: string;
  /** Of the protocol; the server's own come on top. */
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  /** The request that an answer is for. */
  id: RequestId | null;
  signal: AbortSignal;
  /** How long the server may stay silent. */
  silenceMs: number;
}

export interface UpstreamAnswer {
  response: Response;
  /** Called for every sign of life, and at the end. */
  alive: () => void;
  ended: () => void;
}

/** However much it says, nothing takes longer. */
const TOTAL_MS = 3_600_000;
const MAX_BYTES = 64 * 1_048_576;

export const unavailable = (id: RequestId | null, cause?: unknown) =>
  new JsonRpcRefusal(503, INTERNAL_ERROR, 'The MCP server cannot be reached', id, { cause });

export interface UpstreamCallerOptions {
  fetch: EgressFetch;
  box: SecretBox;
  /** One breaker for each server, for everything that this process asks of it. */
  breakerOf: (serverId: string) => Breaker;
}

/** The way to upstreams: each with its own credential, and nothing of our caller's. Those that keep failing are left alone for a while. */
export function createUpstreamCaller({ fetch, box, breakerOf }: UpstreamCallerOptions) {
  /** @throws JsonRpcRefusal 503 */
  return async (server: RelayedServer, request: UpstreamRequest): Promise<UpstreamAnswer> => {
    const { method, body, id, signal, silenceMs } = request;
    const pass = server.status === 'active' ? breakerOf(server.id).admit() : undefined;
    if (!pass) throw unavailable(id);
    const silence = new AbortController();
    const giveUp = () => silence.abort(new Error(`The MCP server was silent for ${silenceMs} ms.`));
    let timer = setTimeout(giveUp, silenceMs).unref();
    const ended = () => clearTimeout(timer);
    const alive = () => {
      ended();
      timer = setTimeout(giveUp, silenceMs).unref();
    };
    try {
      const response = await fetch(server.url, {
        method,
        headers: { ...request.headers, ...openHeaders(box, server.id, server.headers) },
        ...(body !== undefined && { body }),
        redirect: 'error',
        kind: 'mcp',
        signal: AbortSignal.any([signal, silence.signal]),
        profile: { timeoutMs: TOTAL_MS, maxBytes: MAX_BYTES },
      });
      // What it says of our credential is between it and us: the client cannot mend that.
      if (response.status >= 500 || [401, 403, 407].includes(response.status)) {
        await response.body?.cancel();
        throw new Error(`The MCP server answered ${response.status}.`);
      }
      pass.succeeded();
      return { response, alive, ended };
    } catch (error) {
      ended();
      if (signal.aborted) pass.abandoned();
      else pass.failed();
      throw unavailable(id, error);
    }
  };
}
export type CallUpstream = ReturnType<typeof createUpstreamCaller>;
