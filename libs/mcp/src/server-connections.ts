import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import {
  createBreakers,
  EgressError,
  type Egress,
  type EgressAnswer,
  type EgressFailure,
  type EgressFetch,
} from '@millwright/egress';
import type { SecretBox } from '@millwright/secrets';
import type { Client } from '@modelcontextprotocol/client';
import type { AgentTokenIssuer } from './agent-tokens.js';
import type { Generation } from './generations.js';
import { withMcpClient, type McpLimits } from './sdk-client.js';
import { causesOf, createUpstreamFetch, notConnectedIn } from './server-fetch.js';
import { isEventStream, MESSAGE_MAX_BYTES, readEvents, readLines, readText, type ReadLimits } from './event-stream.js';
import type { HeldBytes } from './held-bytes.js';
import { MessageRefused } from './server-message.js';
import { ServerBusy, ServerNotCalled, ServerUnavailable } from './server-unavailable.js';
import type { RegisteredServer } from './servers.store.js';

/** Error for a server that was reached, but sent nothing until the timeout. */
class ServerSilent extends Error {}

/** Error in an answer that concerns the caller or the tool, and is no failure of the server. */
export class NoServerFault extends Error {}

export interface ServerRequest {
  method: string;
  /** Headers of the protocol. The server's configured headers are added. */
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string;
  signal: AbortSignal;
  /** Idle timeout of the server, in milliseconds. */
  silenceMs: number;
  /** Whether the answer is a stream that belongs to no call. The caller limits the number of such streams. */
  stream?: boolean;
  /** Counts the bytes of the answer that are in memory. */
  held?: HeldBytes | undefined;
}

export interface ServerAnswer {
  response: Omit<EgressAnswer, 'body' | 'text' | 'json'>;
  /** Discards the body of the answer. */
  cancel: () => Promise<void>;
  /**
   * The body as text; empty when there is no body.
   *
   * @throws MessageRefused for a body that is too large; ServerBusy when too many bytes are in memory
   */
  text: () => Promise<string>;
  /**
   * The body's events, or the messages of a stream without a call as events; `undefined` without a body and for a body of another type.
   *
   * @throws MessageRefused for an event that is too large, and ServerBusy when too many bytes are in memory, both during the iteration
   */
  events: (() => AsyncGenerator<string>) | undefined;
  /** Called for each received part, and at the end. */
  alive: () => void;
  ended: () => void;
}

export interface AdmissionOptions {
  signal?: AbortSignal | undefined;
  /** Called once the breaker admits the call, before anything is sent. */
  onAdmitted?: () => Promise<void>;
  /** Whether a failure counts as a failure of the server. Default: true. */
  countsFailures?: boolean;
}

export interface ClientOptions extends AdmissionOptions {
  limits: McpLimits;
  /** The generation to use. Default: the later generation, if the server supports it. */
  generation?: Generation;
}

/** The part of a server that a connection to it needs. */
export type ConnectedServer = Pick<RegisteredServer, 'id' | 'project' | 'url' | 'headers' | 'auth' | 'userId' | 'hop'>;

/** Fetches for a server: with its credential, and without a credential for documents at other addresses. */
export interface ServerAccess {
  fetch: EgressFetch;
  /** Sends a request like `fetch`. Use it for a run that may have ended meanwhile. */
  fetchAfterwards: EgressFetch;
  withoutCredential: EgressFetch;
}

/** Idle timeout of a call, in milliseconds. Each sign of progress restarts it. */
export const CALL_SILENCE_MS = 60_000;
/** Idle timeout of a stream without a call, in milliseconds. */
export const STREAM_SILENCE_MS = 300_000;
/** Maximum duration of a call or stream, in milliseconds, even while data arrives. */
const TOTAL_MS = 3_600_000;
/** Maximum total size of a stream's messages, in bytes. */
const STREAM_MAX_BYTES = 64 * 1_048_576;

/**
 * The connections of this process to registered servers. Each connection uses the credential of its server. One circuit
 * breaker for each server pauses calls to a server that keeps failing.
 */
export function createServerConnections({
  db,
  egress,
  secrets,
  agentTokens,
  maxMessageBytes: maxBytes = MESSAGE_MAX_BYTES,
}: ServerConnectionDeps) {
  const upstreamFetch = createUpstreamFetch({ db, fetch: egress.fetch, secrets, agentTokens });
  const requestFor = upstreamFetch.through(egress.request);
  const breakerOf = createBreakers('mcp');

  function admit(server: Pick<RegisteredServer, 'id'>) {
    const pass = breakerOf(server.id).admit();
    if (!pass) throw new ServerNotCalled('The MCP server has failed too often just now.');
    return pass;
  }

  /** Runs the work with a server while its breaker admits calls, and counts the outcome. */
  async function withAdmission<Result>(
    server: Pick<RegisteredServer, 'id'>,
    { signal, onAdmitted, countsFailures = true }: AdmissionOptions,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const pass = admit(server);
    let isSent = false;
    try {
      await onAdmitted?.();
      isSent = true;
      const result = await work();
      pass.succeeded();
      return result;
    } catch (error) {
      if (isSent && (error instanceof NoServerFault || notConnectedIn(error))) pass.succeeded();
      else if (isSent && countsFailures && !signal?.aborted && isUnreached(error)) pass.failed();
      else pass.abandoned();
      throw error;
    }
  }

  return {
    /** @throws NotConnected when the server requires a user's account and the user has not connected one */
    requireConnected: (server: RegisteredServer) => upstreamFetch.requireConnected(server, server.userId),

    /**
     * Runs the work with a server as a client of the SDK.
     *
     * @throws ServerUnavailable, NotConnected, EgressError, the SDK's errors, or the reason of the signal
     */
    withClient<Result>(
      server: ConnectedServer,
      { limits, generation, ...options }: ClientOptions,
      work: (client: Client, signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      return withAdmission(server, options, () => {
        const fetch = upstreamFetch(server, server.userId);
        return withMcpClient(fetch, server.url, { ...limits, generation }, options.signal, work);
      });
    },

    /**
     * Runs the work with a server that is not an MCP server, by requests of the server's own protocol.
     *
     * @throws ServerUnavailable, NotConnected, EgressError, or the errors of the work
     */
    withAccess<Result>(
      server: ConnectedServer,
      options: AdmissionOptions,
      work: (access: ServerAccess) => Promise<Result>,
    ): Promise<Result> {
      return withAdmission(server, options, () => {
        const { hop, userId } = server;
        const afterwards = hop && 'runId' in hop ? { ...server, hop: { ...hop, isOver: true } } : server;
        return work({
          fetch: upstreamFetch(server, userId),
          fetchAfterwards: upstreamFetch(afterwards, userId),
          withoutCredential: egress.fetch,
        });
      });
    },

    /**
     * Sends one HTTP request and returns its answer as soon as the answer starts.
     *
     * @throws ServerUnavailable when the server fails or may not be called; NotConnected when its user has not connected an account
     */
    async send(
      server: RegisteredServer,
      { method, headers, body, signal, silenceMs, stream = false, held }: ServerRequest,
    ): Promise<ServerAnswer> {
      if (server.status !== 'active') throw new ServerNotCalled('The MCP server is not active.');
      const pass = admit(server);
      const over = new AbortController();
      const leave = () => over.abort(signal.reason);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      const giveUp = () => over.abort(new ServerSilent(`The MCP server was silent for ${silenceMs} ms.`));
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
          headers,
          ...(body !== undefined && { body }),
          redirect: 'error',
          kind: 'mcp',
          stream,
          signal: over.signal,
          profile: { timeoutMs: TOTAL_MS, maxBytes: STREAM_MAX_BYTES },
        });
        // A server that refuses the credential of this installation counts as unavailable, because the client cannot
        // correct this.
        if (response.status >= 500 || [401, 403, 407].includes(response.status)) {
          await response.body?.cancel();
          const fault = `The MCP server answered ${response.status}.`;
          throw new NoServerFault(fault);
        }
        pass.succeeded();
        return { ...readable(response, { maxBytes, held, stream }), alive, ended };
      } catch (error) {
        ended();
        const notConnected = notConnectedIn(error);
        if (notConnected || error instanceof NoServerFault || isTooLarge(error)) pass.succeeded();
        else if (!signal.aborted && isUnreached(error)) pass.failed();
        else pass.abandoned();
        if (isTooLarge(error)) throw new MessageRefused(`A message of the MCP server is larger than ${maxBytes} bytes`);
        if (isBusy(error)) throw new ServerBusy('Too many calls to the MCP server are under way.', { cause: error });
        throw notConnected ?? new ServerUnavailable('The MCP server cannot be reached.', { cause: error });
      }
    },
  };
}
const failsAs = (error: unknown, kind: EgressFailure) =>
  [...causesOf(error)].some((cause) => cause instanceof EgressError && cause.kind === kind);

const isTooLarge = (error: unknown) => failsAs(error, 'too_large');

const UNREACHED: ReadonlySet<EgressFailure> = new Set(['network', 'unresolvable']);
const CONNECT_TIMEOUTS: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/**
 * Whether the connection failed. Only such failures open the breaker. An error answer or a slow call of one user does not, because it is no
 * reason to refuse the calls of other users.
 */
const isUnreached = (error: unknown) =>
  [...causesOf(error)].some(
    (cause) => (cause instanceof EgressError && UNREACHED.has(cause.kind)) || CONNECT_TIMEOUTS.has(codeOf(cause)),
  );

const NOT_SENT: ReadonlySet<EgressFailure> = new Set(['refused', 'unresolvable', 'busy']);
const NOT_CONNECTED: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED']);

/** Whether a request certainly did not reach the server. */
export const isUnsent = (error: unknown): boolean =>
  notConnectedIn(error) !== undefined ||
  [...causesOf(error)].some(
    (cause) =>
      cause instanceof ServerNotCalled ||
      (cause instanceof EgressError && NOT_SENT.has(cause.kind)) ||
      NOT_CONNECTED.has(codeOf(cause)),
  );

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;

/** Whether other calls prevented this request from being sent. This does not count against the server. */
const isBusy = (error: unknown) => failsAs(error, 'busy');

interface ReadOptions {
  maxBytes: number;
  held: HeldBytes | undefined;
  stream: boolean;
}

type Body = AsyncIterable<Uint8Array>;

/** Yields the chunks of a body, no faster than the rate at which the calls of the user may receive them. */
async function* received(body: Body, held: HeldBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    const waitMs = held.receive(chunk.byteLength);
    if (waitMs > 0) await sleep(waitMs);
    yield chunk;
  }
}

/** Returns a reader of the events of an answer. Some servers write a stream as lines of JSON, which are read as events. */
function eventsOf(response: EgressAnswer, body: Body, limits: ReadLimits, stream: boolean) {
  if (isEventStream(response)) return () => readEvents(body, limits);
  const isJson = /^application\/(json|x-ndjson)\b/i.test(response.headers.get('content-type') ?? '');
  return stream && response.ok && isJson ? () => readLines(body, limits) : undefined;
}

function readable(
  response: EgressAnswer,
  { maxBytes, held, stream }: ReadOptions,
): Omit<ServerAnswer, 'alive' | 'ended'> {
  const { body } = response;
  if (!body) return { response, cancel: () => Promise.resolve(), text: () => Promise.resolve(''), events: undefined };
  const chunks = held ? received(body, held) : body;
  const limits = { maxBytes, hold: held?.hold };
  return {
    response,
    cancel: () => body.cancel(),
    text: async () => {
      const announced = Number(response.headers.get('content-length') ?? 0);
      try {
        return await readText(chunks, limits, announced);
      } catch (error) {
        await body.cancel();
        throw error;
      }
    },
    events: eventsOf(response, chunks, limits, stream),
  };
}

export type ServerConnections = ReturnType<typeof createServerConnections>;

export interface ServerConnectionDeps {
  db: Database;
  egress: Pick<Egress, 'fetch' | 'request'>;
  secrets: SecretBox;
  /** Signs call tokens for servers with `agent_token`. */
  agentTokens?: AgentTokenIssuer | undefined;
  /** Maximum size of one message of a server, in bytes. Default 4 MiB. */
  maxMessageBytes?: number;
}
