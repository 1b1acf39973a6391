import { formatSSEEvent } from '@a2a-js/sdk';
import type { Response } from 'express';

/** A comment keeps proxies from ending a stream that is silent. */
const COMMENT_EVERY_MS = 15_000;

/** Comments into a stream, once it has begun, until its end. */
export function keepAlive(response: Response): void {
  const timer = setInterval(() => {
    const streams = response.headersSent && String(response.get('Content-Type')).startsWith('text/event-stream');
    if (streams && !response.writableEnded) response.write(': still running\n\n');
  }, COMMENT_EVERY_MS);
  response.once('close', () => clearInterval(timer));
}

/** Sends events as they come (A2A 1.0 §9.4.2). What fails before the first one has an answer of its own. */
export async function sendEvents(
  response: Response,
  events: AsyncGenerator<unknown, void, undefined>,
  refuse: (error: unknown) => void,
): Promise<void> {
  let next: IteratorResult<unknown, void>;
  try {
    next = await events.next();
  } catch (error) {
    refuse(error);
    return;
  }
  response
    .status(200)
    .set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
  try {
    for (; !next.done && !response.destroyed; next = await events.next()) response.write(formatSSEEvent(next.value));
    response.end();
  } catch {
    response.destroy(); // who follows learns from the broken connection that there is more, and subscribes again
  } finally {
    await events.return(undefined);
  }
}
