import type { Response } from 'express';
import { onClose } from '../process/on-close.js';

export interface EventStreamWriterOptions {
  /** Milliseconds. Proxies close connections that are silent for longer; half a minute is the shortest in common use. */
  commentEveryMs?: number;
  /** One server-sent comment, with the empty line after it. */
  comment?: string;
  /** Whether a comment may begin the stream. Otherwise comments wait until the answer is a stream. */
  commentBegins?: boolean;
}

/** Writes server-sent events (WHATWG HTML §9.2) and comments that keep the connection open. */
export interface EventStreamWriter {
  /** Sends status 200 and the headers of a stream, unless headers were sent before. */
  begin: () => void;
  /** Writes whole events. Does nothing after the client has left. False: wait for `drain` before the next. */
  write: (events: string | Uint8Array) => boolean;
  /** Ends the comments. The end of the connection does so too. */
  stop: () => void;
}

export function createEventStreamWriter(
  response: Response,
  { commentEveryMs = 15_000, comment = ': still running\n\n', commentBegins = false }: EventStreamWriterOptions = {},
): EventStreamWriter {
  const setHead = () => {
    if (response.headersSent) return;
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  };
  const begin = () => {
    setHead();
    response.flushHeaders();
  };
  const write = (events: string | Uint8Array) => {
    if (response.destroyed || response.writableEnded) return true;
    setHead();
    return response.write(events);
  };
  const timer = setInterval(() => {
    if (commentBegins || isStream(response)) write(comment);
  }, commentEveryMs);
  const stop = () => clearInterval(timer);
  onClose(response, stop);
  return { begin, write, stop };
}

const isStream = (response: Response) =>
  response.headersSent && String(response.get('Content-Type')).startsWith('text/event-stream');
