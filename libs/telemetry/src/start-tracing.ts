import type { TracingConfig } from './config.js';

export interface TracingOptions {
  service: string;
  version: string;
  config: TracingConfig;
  /** Called when exports begin to fail, and again only after an export has succeeded. */
  onError: (error: Error) => void;
}

export interface Tracing {
  /** Sends the remaining spans, within two seconds. Never rejects. */
  close(): Promise<void>;
}

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
