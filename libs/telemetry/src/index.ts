export { tracingConfig, type TracingConfig } from './config.js';
export {
  agentSpan,
  chatAnswer,
  embeddingsAnswer,
  mcpCallSpan,
  modelSpan,
  stepAttribute,
  toolSpan,
  type ModelOperation,
} from './gen-ai.js';
export { traceHeaders, traceHeadersForStrangers, traceOf } from './propagation.js';
export { currentTraceId, inSpan, startSpan, type SpanOptions, type TraceSpan } from './span.js';
export type { Tracing, TracingOptions } from './export-spans.js';
export { startTracing } from './start-tracing.js';
export { isTracing } from './tracer.js';
export { telemetryEvents, type SignIn, type UpstreamKind } from './telemetry-events.js';
