import type { Request, Response } from 'express';
import type { EndpointContract } from './contract.js';

/** One server-sent event (WHATWG HTML §9.2); `data` is sent as JSON. */
export interface ServerEvent {
  event?: string;
  data: unknown;
}
export type Emit = (event: ServerEvent) => void;

/** How an endpoint tells its answer as events. Besides these, whatever its handler tells while it works. */
export interface EventWriter {
  /** The whole answer: told at the end, or, for a stored one, at once. */
  end: (body: unknown) => void;
  /** The error envelope of a failure after the first event. */
  fail: (body: object) => void;
}

/** Proxies close connections that are silent for longer; half a minute is the shortest in common use. */
const HEARTBEAT_MS = 15_000;

export interface EventStream<Writer extends EventWriter = EventWriter> {
  writer: Writer;
  /** Ends the answer with a reply. */
  end: (reply: { body?: unknown; headers?: Readonly<Record<string, string>> }) => void;
  /** Ends an answer that has begun. */
  fail: (body: object) => void;
}

const streams = new WeakMap<Response, EventStream>();

/** The stream that a request asked for, if it did. */
export const eventStreamOf = (response: Response) => streams.get(response);

/**
 * Makes an answer a stream of events. Nothing is sent before the first event or heartbeat, so that what fails until then has a
 * status of its own. Once the client has left, events go nowhere.
 */
export function openEventStream<Writer extends EventWriter>(
  response: Response,
  writerTo: (emit: Emit) => Writer,
  heartbeatMs = HEARTBEAT_MS,
): EventStream<Writer> {
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) {
      response.status(200).set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
    }
    response.write(text);
  };
  const timer = setInterval(() => write(': still running\n\n'), heartbeatMs);
  response.once('close', () => clearInterval(timer));
  const writer = writerTo(({ event, data }) =>
    write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`),
  );
  const ending = (tell: () => void) => {
    clearInterval(timer);
    tell();
    response.end();
  };
  const stream: EventStream<Writer> = {
    writer,
    end: ({ body, headers = {} }) => {
      if (!response.headersSent) response.set(headers);
      ending(() => writer.end(body));
    },
    fail: (body) => ending(() => writer.fail(body)),
  };
  streams.set(response, stream);
  return stream;
}

/** Whether the client asked for the events that a contract names: by the query, else by preferring them. */
export function wantsEventStream({ stream: offered }: EndpointContract, request: Request): boolean {
  if (!offered) return false;
  const { stream } = request.query;
  if (typeof stream === 'string') return stream === 'true';
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

/** The events that a contract names, each parsed by its form on the way out. */
export function namedEvents({ stream, success }: EndpointContract) {
  const completed = stream?.completed ?? '';
  const schemas = { ...stream?.events, ...(success.body && { [completed]: success.body }) };
  return (emit: Emit) => {
    const tell = (event: string, data: unknown) => emit({ event, data: schemas[event]?.parse(data) ?? data });
    return { tell, end: (body: unknown) => tell(completed, body), fail: (body: object) => tell('error', body) };
  };
}
