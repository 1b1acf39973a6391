import { notConnectedIn, type UpstreamServer } from '@millwright/catalog';
import type { Breaker, EgressAnswer, EgressRequest } from '@millwright/egress';
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
  response: EgressAnswer;
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
  /** For a server, as a user. */
  request: (server: UpstreamServer, userId: string | undefined) => EgressRequest;
  /** One breaker for each server, for everything that this process asks of it. */
  breakerOf: (serverId: string) => Breaker;
}

/** A user's own account may not do this: no reason to leave the server alone. */
class UserRefused extends Error {}

/** The way to upstreams: each with its own credential, and nothing of our caller's. Those that keep failing are left alone for a while. */
export function createUpstreamCaller({ request: requestFor, breakerOf }: UpstreamCallerOptions) {
  /** @throws JsonRpcRefusal 503, NotConnected */
  return async (server: RelayedServer, request: UpstreamRequest): Promise<UpstreamAnswer> => {
    const { method, body, id, signal, silenceMs } = request;
    const pass = server.status === 'active' ? breakerOf(server.id).admit() : undefined;
    if (!pass) throw unavailable(id);
    const over = new AbortController();
    const leave = () => over.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const giveUp = () => over.abort(new Error(`The MCP server was silent for ${silenceMs} ms.`));
    const timer = setTimeout(giveUp, silenceMs).unref();
    let isOver = false;
    const ended = () => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
    const alive = () => {
      if (!isOver) timer.refresh();
    };
    try {
      const response = await requestFor(server, server.userId)(server.url, {
        method,
        headers: request.headers,
        ...(body !== undefined && { body }),
        redirect: 'error',
        kind: 'mcp',
        signal: over.signal,
        profile: { timeoutMs: TOTAL_MS, maxBytes: MAX_BYTES },
      });
      // What it says of our credential is between it and us: the client cannot mend that.
      if (response.status >= 500 || [401, 403, 407].includes(response.status)) {
        await response.body?.cancel();
        const fault = `The MCP server answered ${response.status}.`;
        throw server.userId !== undefined && response.status < 500 ? new UserRefused(fault) : new Error(fault);
      }
      pass.succeeded();
      return { response, alive, ended };
    } catch (error) {
      ended();
      const notConnected = notConnectedIn(error);
      if (notConnected || error instanceof UserRefused) pass.succeeded();
      else if (signal.aborted) pass.abandoned();
      else pass.failed();
      throw notConnected ?? unavailable(id, error);
    }
  };
}
export type CallUpstream = ReturnType<typeof createUpstreamCaller>;
