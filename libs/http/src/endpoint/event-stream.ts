import type { Request, Response } from 'express';
import type { EndpointContract } from './contract.js';

/** Proxies end connections on which nothing moves, most of them after a minute. */
const HEARTBEAT_MS = 15_000;

/** An answer as server-sent events (WHATWG HTML, section 9.2). Begins with its first event; until then an ordinary answer may be sent. */
export interface EventStream {
  readonly begun: boolean;
  emit: (event: string, data: unknown) => void;
  /** The last event. */
  end: (event: string, data: unknown) => void;
}

/** Whether the client asked for one: by the query, else by preferring it. */
export function wantsEventStream(contract: EndpointContract, request: Request): boolean {
  if (!contract.stream) return false;
  const { stream } = request.query;
  if (typeof stream === 'string') return stream === 'true';
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

/** Events are parsed by their contract on the way out. What is told after the client has left goes nowhere, and the work goes on. */
export function createEventStream({ stream, success }: EndpointContract, response: Response): EventStream {
  let heartbeat: NodeJS.Timeout | undefined;
  const schemas = { ...stream?.events, ...(success.body && stream && { [stream.completed]: success.body }) };

  function begin(): void {
    response.status(success.status).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no', // nginx would hold events back
    });
    heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
    response.once('close', () => clearInterval(heartbeat));
  }

  function emit(event: string, data: unknown): void {
    if (response.destroyed || response.writableEnded) return;
    if (!heartbeat) begin();
    const told = schemas[event]?.parse(data) ?? data;
    response.write(`event: ${event}\ndata: ${JSON.stringify(told)}\n\n`);
  }

  return {
    get begun() {
      return heartbeat !== undefined;
    },
    emit,
    end(event, data) {
      emit(event, data);
      response.end();
    },
  };
}
