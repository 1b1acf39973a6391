import { once } from 'node:events';
import type { Request, Response } from 'express';
import { clientLeft } from '../protocol/client-left.js';
import { createEventStreamWriter } from '../protocol/event-stream-writer.js';
import type { EndpointContract } from '../contract/contract.js';
import type { Emit, EventWriter, Feed } from '../contract/event-writer.js';

export interface EventStream<Writer extends EventWriter = EventWriter> {
  writer: Writer;
  /** Sends the headers of the answer before its first event. */
  begin: () => void;
  /** Ends the stream with an ordinary answer. */
  end: (reply: { body?: unknown; headers?: Readonly<Record<string, string>>; status?: number }) => void;
  /** Ends a stream that has begun with an error. */
  fail: (body: object) => void;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express declares what a response carries in this namespace
  namespace Express {
    interface Locals {
      /** The answer's stream, if the client requested a stream. */
      eventStream?: EventStream;
    }
  }
}

/**
 * Opens a stream of events as the answer. Nothing is sent before the first event or heartbeat, so that earlier failures
 * are answered with their own status. Events after the client has disconnected are dropped.
 */
export async function openEventStream<Writer extends EventWriter>(
  response: Response,
  writerTo: (emit: Emit) => Writer,
  heartbeatMs?: number,
): Promise<EventStream<Writer>> {
  await response.locals.admission?.becomeStream();
  const options = { commentEveryMs: heartbeatMs, commentBegins: true };
  const { begin, write, stop } = createEventStreamWriter(response, options);
  const field = (name: string, value: string | undefined) => (value === undefined ? '' : `${name}: ${value}\n`);
  const writer = writerTo(({ id, event, data, text = JSON.stringify(data) }) =>
    write(`${field('id', id)}${field('event', event)}data: ${text}\n\n`),
  );
  const ending = (tell: () => void) => {
    stop();
    tell();
    response.end();
  };
  const stream: EventStream<Writer> = {
    writer,
    begin,
    end: ({ body, headers = {}, status }) => {
      if (!response.headersSent) {
        response.set(headers);
        if (status === 204) response.status(status);
      }
      ending(() => writer.end(body, status));
    },
    fail: (body) => ending(() => writer.fail(body)),
  };
  response.locals.eventStream = stream;
  return stream;
}

/** Whether the client requested the events that a contract names. */
export const wantsEventStream = ({ stream }: EndpointContract, request: Request): boolean =>
  stream !== undefined && acceptsEventStream(request);

/** Whether the client requested events, by the query or else by its `Accept` header. */
export function acceptsEventStream(request: Request): boolean {
  const { stream } = request.query;
  if (typeof stream === 'string') return stream === 'true';
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

/** The events of a contract, each parsed by its schema before it is sent. */
export function namedEvents({ stream, success }: EndpointContract) {
  const { completed = '', accepted = completed } = stream ?? {};
  const schemas = {
    ...stream?.events,
    ...(success.accepted && { [accepted]: success.accepted.body }),
    ...(success.body && { [completed]: success.body }),
  };
  return (emit: Emit) => {
    const tell = (event: string, data: unknown) => void emit({ event, data: schemas[event]?.parse(data) ?? data });
    const end = (body: unknown, status?: number) => tell(status === 202 ? accepted : completed, body);
    return { tell, end, fail: (body: object) => tell('error', body) };
  };
}

/** Opens the feed of a contract. Each event is parsed with its schema. The answer ends without a last event. */
export async function openFeed(
  { feed: schemas = {} }: Pick<EndpointContract, 'feed'>,
  response: Response,
): Promise<Feed> {
  let emit: Emit = () => true;
  const { begin } = await openEventStream(response, (to) => {
    emit = to;
    return { end: () => undefined, fail: (body) => void to({ event: 'error', data: body }) };
  });
  return {
    open: begin,
    async send({ id, event, data }) {
      if (emit({ id, event, data: schemas[event]?.parse(data) ?? data }) || response.destroyed) return;
      await once(response, 'drain', { signal: clientLeft(response) }).catch(() => undefined);
    },
  };
}
