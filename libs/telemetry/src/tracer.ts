import type { Tracer } from '@opentelemetry/api';

/**
 * The OpenTelemetry tracer of this process. It is a singleton, like the context of its spans. Every call of `startSpan`
 * reads it; while it is undefined, no span is recorded.
 */
let tracer: Tracer | undefined;

export const currentTracer = (): Tracer | undefined => tracer;

export function recordWith(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether this process records spans at all. */
export const isTracing = (): boolean => tracer !== undefined;
