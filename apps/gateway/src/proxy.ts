import { ServerResponse } from 'node:http';
import { AppError, type Area } from '@millwright/errors';
import { sendError } from '@millwright/http';
import { webSocketOf, type Logger } from '@millwright/http/process';
import { createTargets, UpstreamAgent } from '@millwright/http/upstream';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, definePlugin } from 'http-proxy-middleware';
import { rewriteResponseHeaders } from './forwarding.js';
import { freeChunksWhenSent } from './free-chunks.js';
import { createTunnels } from './tunnel.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express's types are extended by this namespace
  namespace Express {
    interface Locals {
      /** The service that answers the request, set by the gateway. */
      area?: Area;
    }
  }
}

export type AreaTargets = Readonly<Record<Area, readonly string[]>>;

/** Placeholder URLs. `UpstreamAgent` reads the service from the host name, and connects to one of the service's replicas. */
const addresses: Readonly<Record<Area, URL>> = {
  admin: new URL('http://admin'),
  platform: new URL('http://platform'),
  runtime: new URL('http://runtime'),
  prompt: new URL('http://prompt'),
};

export interface Proxy {
  /** Streams a request to the service in `response.locals.area`, and streams the answer back. */
  forward: RequestHandler;
  /** Ends the WebSockets, which otherwise stay open until their clients close them. */
  closeWebSockets: () => void;
  close: () => void;
}

export interface ProxyOptions {
  targets: AreaTargets;
  /** Milliseconds without a byte after which a connection to a service is ended while its answer is incomplete. */
  idleTimeoutMs: number;
  logger: Logger;
}

export function createProxy({ targets, idleTimeoutMs, logger }: ProxyOptions): Proxy {
  const agent = new UpstreamAgent({
    admin: createTargets(targets.admin),
    platform: createTargets(targets.platform),
    runtime: createTargets(targets.runtime),
    prompt: createTargets(targets.prompt),
  });

  const tunnels = createTunnels();
  const noteFailure = (failure: unknown, area: Area) =>
    logger.warn({ err: failure, area }, 'no answer from the service');

  /** Replaces the plugins of http-proxy-middleware, which log every answer and send error answers in plain text. */
  const answers = definePlugin<Request, Response>((proxy) => {
    proxy.on('proxyReq', freeChunksWhenSent);
    proxy.on('proxyRes', (answer, request, response) => {
      // `Connection: close` in an answer means that the service is stopping. This does not apply to answers to chunked requests: these requests
      // have the header themselves, so their answers can have it for that reason.
      const closing = answer.headers.connection === 'close' && request.headers['transfer-encoding'] === undefined;
      if (closing) agent.avoidStopping(answer.socket);
      rewriteResponseHeaders(answer.headers, response.shouldKeepAlive);
    });
    proxy.on('error', (failure, _request, response) => {
      if (!(response instanceof ServerResponse) || response.destroyed) return;
      const area = areaOf(response);
      noteFailure(failure, area);
      if (response.headersSent) response.destroy();
      else sendError(response, area, new AppError('unavailable', { cause: failure }));
    });
  });

  const forward = createProxyMiddleware<Request, Response>({
    agent,
    // http-proxy-middleware requires a target, although `router` chooses the target of each request.
    target: addresses.platform,
    router: (_request, response) => addresses[areaOf(response)],
    proxyTimeout: idleTimeoutMs,
    // Keeps header names as the services write them: case has no meaning for programs, but people compare them with the documentation.
    preserveHeaderKeyCase: true,
    ejectPlugins: true,
    plugins: [answers],
  });
  return {
    forward: (request, response, next) => {
      if (webSocketOf(request) === undefined) void forward(request, response, next).catch(next);
      else openTunnel(request, response);
    },
    closeWebSockets: () => tunnels.closeAll(),
    close: () => agent.destroy(),
  };

  function openTunnel(request: Request, response: Response) {
    const area = areaOf(response);
    const onFailure = (failure: unknown) => noteFailure(failure, area);
    tunnels.open(request, response, { agent, host: addresses[area].hostname, area, idleTimeoutMs, onFailure });
  }
}

/** Returns the service that the gateway stored for a request. @throws Error if no service is stored, which is a fault of the gateway */
function areaOf(response: Response | undefined): Area {
  const area = response?.locals.area;
  if (area === undefined) throw new Error('no area was chosen for this request');
  return area;
}
