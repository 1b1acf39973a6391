import { request as send, type Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type Area } from '@millwright/errors';
import { sendError } from '@millwright/http';
import { onClose, webSocketOf } from '@millwright/http/process';
import { rewriteResponseHeaders } from './forwarding.js';

export interface TunnelOptions {
  agent: Agent;
  /** Placeholder host name by which the agent selects the service. */
  host: string;
  area: Area;
  idleTimeoutMs: number;
  onFailure: (failure: unknown) => void;
}

/** The open WebSockets. The gateway ends them when it stops. */
export interface Tunnels {
  /** Requests the WebSocket from the service, and connects client and service after the upgrade. An answer without upgrade is forwarded. */
  open(request: IncomingMessage, response: ServerResponse, options: TunnelOptions): void;
  closeAll(): void;
}

export function createTunnels(): Tunnels {
  const open = new Set<Duplex>();

  function join(client: Duplex, service: Duplex) {
    open.add(client);
    client.on('close', () => {
      open.delete(client);
      service.destroy();
    });
    service.on('close', () => client.destroy());
    client.pipe(service).pipe(client);
  }

  return {
    open(request, response, { agent, host, area, idleTimeoutMs, onFailure }) {
      const asked = webSocketOf(request);
      if (asked === undefined) throw new Error('this request is for no WebSocket');
      const { socket, head } = asked;
      const outgoing = send({
        agent,
        host,
        method: 'GET',
        path: request.url,
        headers: { ...request.headers, connection: 'Upgrade', upgrade: 'websocket' },
        timeout: idleTimeoutMs,
      });
      onClose(response, () => outgoing.destroy());
      outgoing.on('timeout', () => outgoing.destroy(new Error('the service was silent')));
      outgoing.on('error', (failure) => {
        if (response.headersSent || response.destroyed) return;
        onFailure(failure);
        sendError(response, area, new AppError('unavailable', { cause: failure }));
      });
      outgoing.on('response', (answer) => {
        rewriteResponseHeaders(answer.headers, false);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      outgoing.on('upgrade', (answer, service, serviceHead) => {
        service.on('error', () => undefined);
        if (answer.statusCode !== 101 || answer.headers.upgrade?.toLowerCase() !== 'websocket') {
          service.destroy();
          sendError(response, area, new AppError('unavailable'));
          return;
        }
        service.removeAllListeners('timeout');
        for (const side of [service, socket]) side.setTimeout(idleTimeoutMs, () => side.destroy());
        rewriteResponseHeaders(answer.headers, false);
        response.writeHead(101, { ...answer.headers, connection: 'Upgrade', upgrade: 'websocket' });
        response.flushHeaders();
        response.detachSocket(socket);
        if (head.length > 0) service.write(head);
        if (serviceHead.length > 0) socket.write(serviceHead);
        join(socket, service);
        socket.once('close', () => response.emit('close'));
      });
      outgoing.end();
    },
    closeAll() {
      for (const client of open) client.destroy();
    },
  };
}
