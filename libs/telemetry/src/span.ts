import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
} from '@opentelemetry/api';
import { currentTracer } from './tracer.js';

export interface SpanOptions {
  /** Kind of the span. Default: `internal`. */
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Attributes;
  /**
   * Parent of the span. `root`: the span has no parent and starts a trace. Default: the current span. Without a current
   * span, nothing is recorded, so that background work of a process makes no traces.
   */
  parent?: Context | 'root';
}

/**
 * One timed operation. Its name and attributes contain no values of users, no statements, no addresses with a path and
 * no content.
 */
export interface TraceSpan {
  readonly traceId: string | undefined;
  /** Whether the span is recorded. */
  readonly recording: boolean;
  name: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Runs work within the span. Spans that begin during the work are its children. */
  run: <Result>(work: () => Result) => Result;
  /** Ends the span as failed, with the code, kind or class of the error. The text of the error is never recorded. */
  fail: (error: unknown) => void;
  end: () => void;
}

const NO_SPAN: TraceSpan = {
  traceId: undefined,
  recording: false,
  name: () => undefined,
  set: () => undefined,
  run: (work) => work(),
  fail: () => undefined,
  end: () => undefined,
};

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

function parentContext(parent: SpanOptions['parent']): Context | undefined {
  if (parent === 'root') return ROOT_CONTEXT;
  if (parent !== undefined) return parent;
  const active = context.active();
  // A span that is not recorded is no parent. Its children thus have no parent, and are not recorded either.
  return trace.getSpan(active)?.isRecording() ? active : undefined;
}

/** Begins a span. Call `end` or `fail` once. */
export function startSpan(name: string, { kind = 'internal', attributes, parent }: SpanOptions = {}): TraceSpan {
  const tracer = currentTracer();
  const under = tracer && parentContext(parent);
  if (!under) return NO_SPAN;
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, under);
  const within = trace.setSpan(under, span);
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    span.end();
  };
  return {
    traceId: span.spanContext().traceId,
    recording: span.isRecording(),
    name: (text) => void span.updateName(text),
    set: (more) => void span.setAttributes(more),
    run: (work) => context.with(within, work),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', failureWord(error));
      end();
    },
    end,
  };
}

/** Runs work within a new span, which fails when the work rejects. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: TraceSpan) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (span === NO_SPAN) return work(span);
  try {
    // A promise of Prisma begins its work only when it is awaited, so the await must be within the span.
    const result = await span.run(async () => await work(span));
    span.end();
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

/** Trace id of the current span, for log lines. */
export function currentTraceId(): string | undefined {
  return currentTracer() && trace.getActiveSpan()?.spanContext().traceId;
}

/** Code, kind or class of an error. Its text is left out, because it may quote user values. */
function failureWord(error: unknown): string {
  const { code, kind, name } = (typeof error === 'object' && error !== null ? error : { code: error }) as Record<
    string,
    unknown
  >;
  const word = [code, kind, name].find((text) => typeof text === 'string' && /^[\w.]{1,64}$/.test(text));
  return typeof word === 'string' ? word : '_OTHER';
}
