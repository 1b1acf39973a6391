import type { Response } from 'express';
import { onClose } from '../process/on-close.js';

export interface EventStreamWriterOptions {
  /** Interval of comments in milliseconds. Proxies close silent connections; some common proxies do so after 30 s. */
  commentEveryMs?: number;
  /** One server-sent comment, with the empty line after it. */
  comment?: string;
  /**
   * Whether a comment may be the start of the stream. Otherwise comments are sent only after the stream has started.
   */
  commentBegins?: boolean;
}

/** Writes server-sent events (WHATWG HTML §9.2) and comments that keep the connection open. */
export interface EventStreamWriter {
  /** Sends status 200 and the headers of a stream, unless headers were sent before. */
  begin: () => void;
  /**
   * Writes complete events. Has no effect after the client has disconnected. Returns `false` when the caller must wait
   * for `drain` before the next write.
   */
  write: (events: string | Uint8Array) => boolean;
  /** Stops the comments. They also stop when the connection closes. */
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
