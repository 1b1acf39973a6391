import { ServerResponse } from 'node:http';
import { AppError, type Area } from '@millwright/errors';
import { createTargets, UpstreamAgent, webSocketOf, type Logger } from '@millwright/http';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, definePlugin } from 'http-proxy-middleware';
import { rewriteResponseHeaders } from './forwarding.js';
import { freeChunksWhenSent } from './free-chunks.js';
import { sendError } from './send-error.js';
import { createTunnels } from './tunnel.js';

export type AreaTargets = Readonly<Record<Area, readonly string[]>>;

/** Not addresses of anything: by these the agent knows the area whose replicas to connect to. */
const addresses: Readonly<Record<Area, URL>> = {
  admin: new URL('http://admin'),
  platform: new URL('http://platform'),
  runtime: new URL('http://runtime'),
  prompt: new URL('http://prompt'),
};

export interface Proxy {
  /** Sends a request on to the area in `response.locals.area` and its answer back, both as they come. */
  forward: RequestHandler;
  /** Ends the WebSockets, which would otherwise last as long as their clients like. */
  closeWebSockets: () => void;
  close: () => void;
}

export interface ProxyOptions {
  targets: AreaTargets;
  /** For how long neither side of a connection to a service may say anything while an answer is due. */
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

  /** Instead of the package's own plugins, which log every answer and answer failures in plain text. */
  const answers = definePlugin<Request, Response>((proxy) => {
    proxy.on('proxyReq', freeChunksWhenSent);
    proxy.on('proxyRes', (answer, request, response) => {
      // A chunked request is sent on as the last of its connection, so there the service only agrees.
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
    // The router decides; the package wants a target all the same.
    target: addresses.platform,
    router: (_request, response) => addresses[areaOf(response)],
    proxyTimeout: idleTimeoutMs,
    // Names are the same in any case; people reading along expect them as documented.
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

/** Without a response it is an upgrade that the package would make by itself, which it is never asked for. */
function areaOf(response: Response | undefined): Area {
  const area = response?.locals['area'] as Area | undefined;
  if (area === undefined) throw new Error('no area was chosen for this request');
  return area;
}
