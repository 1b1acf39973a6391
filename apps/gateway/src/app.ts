import { AppError, type Area } from '@millwright/errors';
import { refuseAmbiguousMessages, sendError } from '@millwright/http';
import { requestIdOf, requestLog, type Logger, type Metrics } from '@millwright/http/process';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createBaseTable, type BaseTable } from './bases.js';
import type { Config } from './config.js';
import { dropConsoleCookies, rewriteRequestHeaders } from './forwarding.js';
import type { Proxy } from './proxy.js';

export interface AppDeps {
  config: Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL' | 'TRUSTED_PROXY_HOPS'>;
  proxy: Proxy;
  logger: Logger;
  metrics: Metrics;
}

/** Routes each request to its service, with headers that state the client's address and the address that the client used. */
export function createApp({ config, proxy, logger, metrics }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  const bases = createBaseTable(config);
  const refuseAmbiguous = refuseAmbiguousMessages((response) => {
    const { envelope = 'platform' } = bases.find(response.req.headers.host) ?? {};
    sendError(response, envelope, new AppError('bad_request'));
  });
  app.use(requestLog({ logger, metrics }), unrouted, refuseAmbiguous, route(bases, config));
  app.use(proxy.forward, renderErrors(logger));
  return app;
}

/** Sets the route label `none` for logs and metrics. Requests that reach no service keep this label. */
const unrouted: RequestHandler = (_request, response, next) => {
  response.locals.route = 'none';
  next();
};

function route(bases: BaseTable, { TRUSTED_PROXY_HOPS }: AppDeps['config']): RequestHandler {
  return (request, response, next) => {
    const base = bases.find(request.headers.host);
    if (base === undefined) {
      sendError(response, 'platform', new AppError('misdirected_request'));
      return;
    }
    const { path } = request;
    // Refuses NUL: some programs end a path at NUL, and would therefore read another path than the gateway.
    if (path.includes('%00')) {
      sendError(response, base.envelope, new AppError('bad_request'));
      return;
    }
    const area = base.areaOf(path);
    if (area === undefined) {
      if (path === '/') response.redirect(303, '/admin');
      else sendError(response, base.envelope, new AppError('endpoint_not_found'));
      return;
    }
    noteArea(response.locals, area);
    rewriteRequestHeaders(request, base, requestIdOf(request), TRUSTED_PROXY_HOPS);
    if (area !== 'admin') dropConsoleCookies(request.headers);
    next();
  };
}

/** Stores the service of a request. The service is also the route label, because the gateway does not have the route templates of the services. */
function noteArea(locals: Record<string, unknown>, area: Area) {
  locals.area = area;
  locals.route = area;
}

function renderErrors(logger: Logger): ErrorRequestHandler {
  return (failure: unknown, _request, response, next) => {
    logger.error({ err: failure }, 'the gateway failed');
    if (response.headersSent) {
      next(failure);
      return;
    }
    const area = response.locals.area ?? 'platform';
    sendError(response, area, new AppError('internal_error', { cause: failure }));
  };
}
