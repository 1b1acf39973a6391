import { startSpan, traceOf, type TraceSpan } from '@millwright/telemetry';
import type { Request, Response } from 'express';

/** Of RFC 9110, and PATCH; others are told as `_OTHER`, as the conventions for HTTP spans have it. */
const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

/** The span of answering a request, as a part of the trace that its headers name. */
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

/** Conventions want the path too; it may hold what users wrote, so the template has to do. */
export function endRequestSpan(span: TraceSpan, { method }: Request, { statusCode }: Response, route: string): void {
  span.name(`${METHODS.has(method) ? method : 'HTTP'} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail(String(statusCode));
  else span.end();
}
