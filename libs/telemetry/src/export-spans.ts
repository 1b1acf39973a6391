import { setTimeout as sleep } from 'node:timers/promises';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { parseHeaders, type TracingConfig } from './config.js';
import { recordWith } from './tracer.js';

export interface TracingOptions {
  service: string;
  version: string;
  config: TracingConfig;
  /** Called when an export fails, but not for the failures that follow it directly. */
  onError: (error: Error) => void;
}

export interface Tracing {
  /** Sends the remaining spans, within two seconds. Never rejects. */
  close(): Promise<void>;
}

const EXPORT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Maximum length of the values of a span, because names and codes have no maximum. */
const LONGEST_VALUE = 256;

/** Records this process's spans and sends them to the collector at `endpoint`. */
export function exportSpans(endpoint: string, { service, version, config, onError }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME ?? service,
      'service.namespace': 'millwright',
      'service.version': version,
      'service.instance.id': crypto.randomUUID(),
    }),
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportingFailures(exporter, onError), scheduledDelayMillis: 1_000 }),
    ],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  recordWith(provider.getTracer('millwright', version));
  async function close() {
    recordWith(undefined);
    context.disable();
    const timeout = new AbortController();
    const late = sleep(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
    timeout.abort();
  }
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig): Sampler {
  const root = rootSampler(name, Number(ratio));
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  return new TraceIdRatioBasedSampler(ratio);
}

function reportingFailures(exporter: SpanExporter, onError: (error: Error) => void): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) onError(new Error('traces could not be exported', { cause: result.error }));
        failing = failed;
        // Reports success even after a failure. The batch is lost in any case, and for another code the processor would only print the
        // error.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
