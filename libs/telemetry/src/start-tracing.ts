import type { Tracing, TracingOptions } from './export-spans.js';

/**
 * Records this process's spans and sends them to the configured collector. Does nothing without a collector, and then does not load the
 * exporter.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const endpoint = options.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { close: () => Promise.resolve() };
  const { exportSpans } = await import('./export-spans.js');
  return exportSpans(endpoint, options);
}
