import type { Socket } from 'node:net';
import { AppError, type Area } from '@millwright/errors';
import { requestIdOf, requestLog, type Logger, type Metrics } from '@millwright/http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import { createBaseTable } from './bases.js';
import type { Config } from './config.js';
import { rewriteRequestHeaders } from './forwarding.js';
import type { Proxy } from './proxy.js';
import { pathOf } from './request-target.js';
import { sendError } from './send-error.js';

export interface AppDeps {
  config: Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL' | 'TRUSTED_PROXY_HOPS'>;
  proxy: Proxy;
  logger: Logger;
  metrics: Metrics;
}

/** Nothing but routing: which area a request is for, and what its service is told about where it came from. */
export function createApp({ config, proxy, logger, metrics }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog({ logger, metrics }), route(config), proxy.forward, renderErrors(logger));
  return app;
}

function route(config: AppDeps['config']): RequestHandler {
  const bases = createBaseTable(config);
  const refused = new WeakSet<Socket>();

  function refuse(response: Response, area: Area) {
    refused.add(response.req.socket);
    sendError(response, area, new AppError('bad_request'));
  }

  return (request, response, next) => {
    // What follows a malformed request on its connection may be a part of it (RFC 9112, section 9.6).
    if (refused.has(request.socket)) return;
    response.locals['route'] = 'none';
    const { host, 'transfer-encoding': transferEncoding } = request.headers;
    if (host === undefined || countHosts(request.rawHeaders) > 1 || !hasPlainFraming(transferEncoding)) {
      refuse(response, 'platform');
      return;
    }
    const base = bases.find(host);
    if (base === undefined) {
      sendError(response, 'platform', new AppError('misdirected_request'));
      return;
    }
    const path = pathOf(request.url);
    if (path === undefined) {
      refuse(response, base.envelope);
      return;
    }
    const area = base.areaOf(path);
    if (area === undefined) {
      if (path === '/') response.redirect(303, '/admin');
      else sendError(response, base.envelope, new AppError('not_found'));
      return;
    }
    noteArea(response.locals, area);
    rewriteRequestHeaders(request, base, requestIdOf(request), config.TRUSTED_PROXY_HOPS);
    next();
  };
}

/** The service knows the route's template and logs it; here the area is all there is to tell. */
function noteArea(locals: Record<string, unknown>, area: Area) {
  locals['area'] = area;
  locals['route'] = area;
}

/** `headers.host` is the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** The only transfer coding that every hop reads alike. */
function hasPlainFraming(transferEncoding: string | undefined): boolean {
  return transferEncoding === undefined || transferEncoding.toLowerCase() === 'chunked';
}

function renderErrors(logger: Logger): ErrorRequestHandler {
  return (failure: unknown, _request, response, next) => {
    logger.error({ err: failure }, 'the gateway failed');
    if (response.headersSent) {
      next(failure);
      return;
    }
    const area = (response.locals['area'] as Area | undefined) ?? 'platform';
    sendError(response, area, new AppError('internal_error', { cause: failure }));
  };
}
