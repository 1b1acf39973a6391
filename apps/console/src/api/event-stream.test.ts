import { eventsOf } from './event-stream.js';

/** Makes a stream that delivers the text in chunks of `size` bytes. */
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

describe('eventsOf', () => {
  const text =
    ': a comment\n\nid: 1\ndata:\n\nid: 2\nretry: 5\ndata: \n\nevent: message.delta\ndata: {"delta":"Größe — 工"}\n\ndata: one\ndata: two\r\n\r\nevent: broken off\ndata: x';
  const events = [
    { event: 'message.delta', data: '{"delta":"Größe — 工"}' },
    { event: 'message', data: 'one\ntwo' },
  ];

  it.each([1, 2, 3, 7, 1_000])('reads all events of a text that arrives in chunks of %p bytes', async (size) =>
    expect(await read(text, size)).toEqual(events),
  );
});
