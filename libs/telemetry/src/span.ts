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
  /** Default: `internal`. */
  kind?: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Attributes;
  /**
   * What it is a part of. `root`: nothing, it begins a trace. Default: the span under way, and without one there is no span, so
   * that what a process does on its own account makes no traces.
   */
  parent?: Context | 'root';
}

/** One thing that takes time. Names and attributes hold no values of users, no statements, no addresses with a path, no content. */
export interface TraceSpan {
  readonly traceId: string | undefined;
  /** Whether what is set will be seen. */
  readonly recording: boolean;
  name: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Runs work as a part of it, with all that the work goes on to do. */
  run: <Result>(work: () => Result) => Result;
  /** Ends as failed: by a word for the kind of failure, never by its text. */
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
  // Of a trace that is not recorded nothing else is.
  return trace.getSpan(active)?.isRecording() ? active : undefined;
}

/** Begins a span; `end` or `fail` ends it, once. */
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

/** Runs work as a span of its own, which fails when the work rejects. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: TraceSpan) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (span === NO_SPAN) return work(span);
  try {
    // Prisma's promises begin their work when they are awaited: that has to be inside.
    const result = await span.run(async () => await work(span));
    span.end();
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

/** Of the span under way, for log lines. */
export function currentTraceId(): string | undefined {
  return currentTracer() && trace.getActiveSpan()?.spanContext().traceId;
}

/** A code, a kind or a class: texts of errors quote what they were about. */
function failureWord(error: unknown): string {
  const { code, kind, name } = (typeof error === 'object' && error !== null ? error : { code: error }) as Record<
    string,
    unknown
  >;
  const word = [code, kind, name].find((text) => typeof text === 'string' && /^[\w.]{1,64}$/.test(text));
  return typeof word === 'string' ? word : '_OTHER';
}
