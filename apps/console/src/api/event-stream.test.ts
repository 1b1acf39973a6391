import { eventsOf } from './event-stream.js';

/** A stream that comes in pieces of that many bytes. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function read(text: string, size: number) {
  const events = [];
  for await (const event of eventsOf(streamOf(text, size))) events.push(event);
  return events;
}

describe('a stream of events', () => {
  const text =
    ': a comment\n\nevent: message.delta\ndata: {"delta":"Größe — 工"}\n\ndata: one\ndata: two\r\n\r\nevent: broken off\ndata: x';
  const events = [
    { event: 'message.delta', data: '{"delta":"Größe — 工"}' },
    { event: 'message', data: 'one\ntwo' },
  ];

  it.each([1, 2, 3, 7, 1_000])('is read the same when it comes in pieces of %p bytes', async (size) =>
    expect(await read(text, size)).toEqual(events),
  );
});
