import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorRenderer } from '@millwright/errors';
import { ipKey } from '@millwright/rate-limit';
import { writeAndClose } from './client-error.js';

export interface ConnectionLimits {
  /** Limit of the connections of all clients. At the limit, idle connections are closed. */
  all: number;
  /** Limit of one client's connections. A client is an IPv4 address or an IPv6 /64. */
  perAddress: number;
}

/** Milliseconds for which a refused connection stays open, so that its client can read the answer. */
const REFUSAL_MS = 1_000;

/**
 * Counts the open connections of several servers together. A connection beyond a limit is answered before its request
 * is read: with 429 when its client has too many connections, with 503 when all clients together have too many.
 */
export function createConnectionLimit({ all, perAddress }: ConnectionLimits, render: ErrorRenderer) {
  const open = new Map<string, number>();
  const servers: Server[] = [];
  let total = 0;

  function refuse(socket: Socket, code: 'rate_limited' | 'unavailable') {
    socket.on('error', () => undefined);
    writeAndClose(socket, new AppError(code), render);
    // Drops the received bytes. Unread bytes would make the system reset the connection, which would discard the
    // answer.
    socket.resume();
    setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
  }

  /** @returns the error for the limit that one more connection exceeds; undefined when it exceeds none */
  function exceeded(key: string) {
    if ((open.get(key) ?? 0) >= perAddress) return 'rate_limited';
    if (total < all) return undefined;
    for (const server of servers) server.closeIdleConnections();
    return 'unavailable';
  }

  return (server: Server): void => {
    servers.push(server);
    const serve = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const key = ipKey(socket.remoteAddress ?? '');
      const code = exceeded(key);
      if (code !== undefined) {
        refuse(socket, code);
        return;
      }
      total += 1;
      open.set(key, (open.get(key) ?? 0) + 1);
      socket.once('close', () => {
        total -= 1;
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      });
      for (const listener of serve) listener.call(server, socket);
    });
  };
}
