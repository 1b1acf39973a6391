import type { Tracer } from '@opentelemetry/api';

/**
 * OpenTelemetry's tracer of this process, which is as ambient as the context that its spans live in. Read by the seams on every
 * call: without it they do nothing.
 */
let tracer: Tracer | undefined;

export const currentTracer = (): Tracer | undefined => tracer;

export function recordWith(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether this process records spans at all. */
export const isTracing = (): boolean => tracer !== undefined;
