import { context, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { TRACE_PARENT_HEADER, W3CTraceContextPropagator } from '@opentelemetry/core';
import { isTracing } from './tracer.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const propagator = new W3CTraceContextPropagator();

const getter = {
  get: (headers: Headers, name: string) => headers[name],
  keys: (headers: Headers) => Object.keys(headers),
};

const setter = {
  set: (headers: Record<string, string>, name: string, value: string) => {
    headers[name] = value;
  },
};

/** The trace of a request's `traceparent` and `tracestate` (W3C Trace Context §3). Malformed headers are ignored. */
export function traceOf(headers: Headers): Context {
  return isTracing() ? propagator.extract(ROOT_CONTEXT, headers, getter) : ROOT_CONTEXT;
}

/** Headers with which the called service continues the current trace; the result is empty without a trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!isTracing()) return headers;
  propagator.inject(context.active(), headers, setter);
  return headers;
}

/**
 * Headers for systems outside the installation. They contain only the id of the trace, because the trace state may name
 * internal systems.
 */
export function traceHeadersForStrangers(): Record<string, string> {
  const { [TRACE_PARENT_HEADER]: parent } = traceHeaders();
  return parent === undefined ? {} : { [TRACE_PARENT_HEADER]: parent };
}
