import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';

/** Yields the events of an answer as they arrive, until the answer ends. */
export async function* readServerEvents(answer: Response): AsyncGenerator<EventSourceMessage, void, undefined> {
  if (!answer.body) return;
  const events = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  yield* events;
}
