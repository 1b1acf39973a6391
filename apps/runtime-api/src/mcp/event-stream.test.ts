import { messageOf, readEvents, withMessage } from './event-stream.js';

const streamOf = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  const events: string[] = [];
  for await (const event of readEvents(streamOf(chunks))) events.push(event);
  return events;
}

describe('readEvents', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('finds whole events with %s, wherever the stream is cut', async (_name, line) => {
    const events = [`id: 1${line}data: {"a":"é🦊"}${line}${line}`, `: comment${line}${line}`, `data: 2${line}${line}`];
    const bytes = new TextEncoder().encode(events.join(''));
    for (let cut = 0; cut <= bytes.length; cut++)
      expect((await read([bytes.slice(0, cut), bytes.slice(cut)])).join('')).toBe(events.join(''));
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toHaveLength(3);
  });

  it('leaves out an event that is cut off', async () => {
    expect(await read([new TextEncoder().encode('data: 1\n\ndata: 2\n')])).toEqual(['data: 1\n\n']);
  });

  it('gives up on an event without end', async () => {
    const chunk = new Uint8Array(1_048_576).fill(120);
    await expect(read(Array.from({ length: 20 }, () => chunk))).rejects.toThrow('too long');
  });
});

it('messageOf reads JSON over several lines, and nothing where there is none', () => {
  expect(messageOf('event: message\nid: 7\ndata: {"id":1,\ndata: "a":2}\n\n')).toEqual({ id: 1, a: 2 });
  for (const event of [': comment\n\n', 'id: 1\ndata:\n\n', 'data: {"id":\n\n'])
    expect(messageOf(event)).toBeUndefined();
});

it('withMessage keeps the other fields of the event', () => {
  expect(withMessage('event: message\nid: 7\ndata: {"a":1}\n\n', { b: 2 })).toBe(
    'event: message\nid: 7\ndata: {"b":2}\n\n',
  );
});
