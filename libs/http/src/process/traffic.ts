import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { onClose } from './on-close.js';
import { userOf } from './user-of.js';

/** The requests that a process is answering, on all its listeners. */
export interface Traffic {
  readonly listener: RequestListener;
  readonly inFlight: number;
  /** Adds `Connection: close` to every later answer, and to every answer in progress whose headers are not sent yet. */
  announceClose(): void;
  /** Users with a request in progress. */
  users(): string[];
  /** Cuts off the open streams of a user. Also cuts off the streams that the user's current requests start later. Complete answers are still sent. */
  closeStreamsOf(userId: string): void;
}

export function trackTraffic(app: RequestListener): Traffic {
  const answering = new Set<ServerResponse>();
  let closing = false;

  function listener(request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) {
    answering.add(response);
    onClose(response, () => answering.delete(response));
    if (response.socket === null) closeWithConnection(request, response);
    if (closing) response.shouldKeepAlive = false;
    app(request, response);
  }

  /**
   * Destroys the response of a waiting pipelined request when its connection closes. Such a request waits until the
   * request before it is answered, and Node emits no event for it when the connection closes meanwhile.
   */
  function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse) {
    const onConnectionClose = () => {
      if (answering.has(response)) response.destroy().emit('close');
    };
    socket.setMaxListeners(0);
    socket.once('close', onConnectionClose);
    onClose(response, () => socket.off('close', onConnectionClose));
  }

  return {
    listener,
    get inFlight() {
      return answering.size;
    },
    announceClose() {
      closing = true;
      for (const response of answering) {
        if (!response.headersSent) response.shouldKeepAlive = false;
      }
    },
    users: () => [...new Set([...answering].flatMap((response) => userOf(response) ?? []))],
    closeStreamsOf(userId) {
      for (const response of answering) endStream(response, userId);
    },
  };
}

/**
 * Ends the stream of a user, or prevents its start: a request whose credential was checked just before a revocation may start its stream
 * after the revocation.
 */
function endStream(response: ServerResponse, userId: string): void {
  if (response.headersSent) {
    if (userOf(response) === userId && !response.writableEnded) response.destroy();
    return;
  }
  const write = response.write.bind(response);
  const flushHeaders = response.flushHeaders.bind(response);
  response.write = ((...chunk: Parameters<typeof write>) => {
    if (userOf(response) !== userId) return write(...chunk);
    response.destroy();
    return false;
  }) as typeof write;
  response.flushHeaders = () => {
    if (userOf(response) === userId) response.destroy();
    else flushHeaders();
  };
}

/**
 * Stops listening, and waits for the requests in flight and for `settled`.
 *
 * @returns whether all requests were answered. Requests that remain after `graceMs` are cut off.
 */
export async function drain(
  servers: readonly Server[],
  graceMs: number,
  settled: () => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  // Closes connections that become idle only now: they were answered with keep-alive, and would stay open until their
  // clients close them.
  const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 50);
  const grace = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => grace.resolve(false), graceMs);
  const finished = await Promise.race([closed.then(settled).then(() => true), grace.promise]);
  clearInterval(sweep);
  clearTimeout(timer);
  if (!finished) servers.forEach((server) => server.closeAllConnections());
  return finished;
}
