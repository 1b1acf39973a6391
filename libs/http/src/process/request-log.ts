import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { requestIdOf } from './request-id.js';
import { endRequestSpan, startRequestSpan } from './request-span.js';

export interface RequestLogOptions {
  logger: Logger;
  metrics: Metrics;
}

/** What other code notes about a request in `response.locals`. */
interface RequestNotes {
  /** The route's template. */
  route?: string;
  principalId?: string;
}

/**
 * Echoes the request id, and when the answer ended or the client left writes one line, one duration sample and, where traces are
 * kept, one span that all of the request's work is a part of.
 * Install it first.
 */
export function requestLog({ logger, metrics }: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const requestId = requestIdOf(request);
    const span = startRequestSpan(request, requestId);
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
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
          principal_id: notesOf(response).principalId,
          aborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
      endRequestSpan(span, request, response, route);
    });
    span.run(next);
  };
}

function notesOf(response: Response): RequestNotes {
  return response.locals;
}

function routeOf(request: Request, response: Response): string {
  const noted = notesOf(response).route;
  if (noted !== undefined) return noted;
  const matched = request.route as { path?: unknown } | undefined;
  return typeof matched?.path === 'string' ? request.baseUrl + matched.path : 'unmatched';
}
