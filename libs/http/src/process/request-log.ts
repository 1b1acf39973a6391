import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { onClose } from './on-close.js';
import { assignRequestId, echoedRequestId } from './request-id.js';
import { endRequestSpan, startRequestSpan } from './request-span.js';

export interface RequestLogOptions {
  logger: Logger;
  metrics: Metrics;
  /** Whether all requests come through a proxy that has run this handler. */
  isBehindOurProxy?: boolean;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express declares what a response carries in this namespace
  namespace Express {
    interface Locals {
      /** The route's template, for logs and metrics. */
      route?: string;
      /** Id of the user who sent the request, for logs. */
      principalId?: string;
    }
  }
}

/**
 * Returns the request id in the answer. When the answer ends or the client disconnects, writes one log line, one duration sample and, if
 * traces are kept, one span that is the parent of all the request's work. Install this handler first.
 */
export function requestLog({ logger, metrics, isBehindOurProxy = false }: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const requestId = assignRequestId(request, isBehindOurProxy);
    const span = startRequestSpan(request, requestId);
    response.setHeader('X-Request-Id', echoedRequestId(requestId));
    onClose(response, () => {
      const { method } = request;
      const status = response.statusCode;
      const route = routeOf(request, response);
      const milliseconds = performance.now() - start;
      metrics.observeRequest({ method, route, status, seconds: milliseconds / 1000 });
      logger.info(
        {
          request_id: requestId,
          trace_id: span.traceId,
          method,
          route,
          status,
          duration_ms: Math.round(milliseconds * 100) / 100,
          principal_id: response.locals.principalId,
          aborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
      endRequestSpan(span, request, response, route);
    });
    span.run(next);
  };
}

function routeOf(request: Request, response: Response): string {
  const noted = response.locals.route;
  if (noted !== undefined) return noted;
  const matched: unknown = request.route;
  const { path }: { path?: unknown } = matched ?? {};
  return typeof path === 'string' ? request.baseUrl + path : 'unmatched';
}
