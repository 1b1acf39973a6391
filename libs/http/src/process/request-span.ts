import { startSpan, traceOf, type TraceSpan } from '@millwright/telemetry';
import type { Request, Response } from 'express';

/**
 * Methods of RFC 9110, and PATCH. Other methods are recorded as `_OTHER`, as the conventions for HTTP spans require.
 */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

/** Starts the server span of a request, in the trace that its headers name. */
export function startRequestSpan({ method, headers, protocol }: Request, requestId: string): TraceSpan {
  return startSpan(method, {
    kind: 'server',
    parent: traceOf(headers),
    attributes: {
      'http.request.method': METHODS.has(method) ? method : '_OTHER',
      'url.scheme': protocol,
      'millwright.request_id': requestId,
    },
  });
}

/**
 * Ends the span. Its attributes have the template of the route in place of the path, which the conventions require, because a path may
 * contain texts of users.
 */
export function endRequestSpan(span: TraceSpan, { method }: Request, { statusCode }: Response, route: string): void {
  span.name(`${METHODS.has(method) ? method : 'HTTP'} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail(String(statusCode));
  else span.end();
}
