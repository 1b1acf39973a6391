import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** A connection on which the client requests an upgrade to a WebSocket (RFC 6455, section 4.1). */
export interface AskedWebSocket {
  socket: Socket;
  /** Bytes that the client sent directly after the request. */
  head: Buffer;
}

const asked = new WeakMap<IncomingMessage, AskedWebSocket>();

export const webSocketOf = (request: IncomingMessage): AskedWebSocket | undefined => asked.get(request);

/**
 * Whether a request opens a WebSocket: `websocket` is its only upgrade, and it has no body, because a body would come
 * before the data of the WebSocket.
 */
export function isWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** Passes upgrade requests to the ordinary listener, with a response after which the connection is closed. */
export function serveUpgrades(server: Server, listener: RequestListener): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.set(request, { socket, head });
    socket.on('error', () => undefined);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    listener(request, response);
  });
}
