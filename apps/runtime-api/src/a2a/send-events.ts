import { formatSSEEvent } from '@a2a-js/sdk';
import { createEventStreamWriter } from '@millwright/http/protocol';
import type { Response } from 'express';

/** Sends each event as soon as it arrives (A2A 1.0 §9.4.2). `refuse` answers a failure that occurs before the first event. */
export async function sendEvents(
  response: Response,
  events: AsyncGenerator<unknown, void, undefined>,
  refuse: (error: unknown) => void,
): Promise<void> {
  const stream = createEventStreamWriter(response);
  let next: IteratorResult<unknown, void>;
  try {
    next = await events.next();
  } catch (error) {
    refuse(error);
    return;
  }
  stream.begin();
  try {
    for (; !next.done && !response.destroyed; next = await events.next()) stream.write(formatSSEEvent(next.value));
    response.end();
  } catch {
    response.destroy(); // The client subscribes again after the connection breaks.
  } finally {
    await events.return(undefined);
  }
}
