import { messageOf, readEvents, readLines, withData } from './event-stream.js';

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
  ])('finds whole events whose lines end with %s, for any division into chunks', async (_name, line) => {
    const events = [`id: 1${line}data: {"a":"é🦊"}${line}${line}`, `: comment${line}${line}`, `data: 2${line}${line}`];
    const bytes = new TextEncoder().encode(events.join(''));
    for (let cut = 0; cut <= bytes.length; cut++)
      expect((await read([bytes.slice(0, cut), bytes.slice(cut)])).join('')).toBe(events.join(''));
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toHaveLength(3);
  });

  it('skips an event that is cut off', async () => {
    expect(await read([new TextEncoder().encode('data: 1\n\ndata: 2\n')])).toEqual(['data: 1\n\n']);
  });

  it('searches each byte once, whatever the size of the chunks of a large event', async () => {
    let searched = 0;
    const exec = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec');
    const count = function (this: RegExp, text: string): unknown {
      searched += text.length;
      return Reflect.apply(exec?.value as (text: string) => unknown, this, [text]);
    };
    const chunk = new Uint8Array(256).fill(120);
    Object.defineProperty(RegExp.prototype, 'exec', { ...exec, value: count });
    try {
      await read(Array.from({ length: 4_000 }, () => chunk));
    } finally {
      Object.defineProperty(RegExp.prototype, 'exec', exec ?? {});
    }
    expect(searched).toBeLessThan(2 * 4_000 * 256);
  });

  it('reports each change of the number of bytes that it holds in memory, which is 0 at its end', async () => {
    const held: number[] = [];
    const chunks = ['data: 1\n', '\ndata: 22', '\n\n'].map((text) => new TextEncoder().encode(text));
    for await (const event of readEvents(streamOf(chunks), { hold: (bytes) => held.push(bytes) }))
      held.push(-event.length);
    expect(held).toEqual([8, 17, -9, 8, 10, -10, 0, 0]);
  });

  it('fails on an event that never ends', async () => {
    const chunk = new Uint8Array(1_048_576).fill(120);
    await expect(read(Array.from({ length: 20 }, () => chunk))).rejects.toThrow('larger than 4194304 bytes');
  });
});

describe('readLines', () => {
  const lines = async (...chunks: string[]) => {
    const events: string[] = [];
    for await (const event of readLines(chunks.map((chunk) => Buffer.from(chunk)))) events.push(event);
    return events;
  };

  it.each<[string, string[], string[]]>([
    ['each line as an event', ['{"a":1}\n{"b":', '2}\n\n'], ['data: {"a":1}\n\n', 'data: {"b":2}\n\n']],
    ['a message without a line end', ['{"a":1}'], ['data: {"a":1}\n\n']],
    ['one message over several lines', ['{\n "a": 1\n', '}\n'], ['data: {\ndata:  "a": 1\ndata: }\n\n']],
    ['nothing', ['\n', ''], []],
  ])('yields %s', async (_what, chunks, events) => {
    expect(await lines(...chunks)).toEqual(events);
  });

  it('fails on a line that never ends', async () => {
    await expect(lines(...Array.from({ length: 5 }, () => 'x'.repeat(1_048_576)))).rejects.toThrow(
      'larger than 4194304 bytes',
    );
  });
});

it('messageOf reads JSON over several lines, and returns undefined for an event without JSON', () => {
  expect(messageOf('event: message\nid: 7\ndata: {"id":1,\ndata: "a":2}\n\n')).toEqual({ id: 1, a: 2 });
  for (const event of [': comment\n\n', 'id: 1\ndata:\n\n', 'data: {"id":\n\n'])
    expect(messageOf(event)).toBeUndefined();
});

describe('withData', () => {
  it('keeps the id and the event name of a message', () => {
    expect(withData('event: message\nid: 7\ndata: {"a":1}\n\n', '{"b":2}')).toBe(
      'event: message\nid: 7\ndata: {"b":2}\n\n',
    );
  });

  it('removes lines that are not fields of MCP', () => {
    expect(withData('{"a":1}\nDATA: 1\nevent: tools\n: hello\nretry: 5\n\n', 'x\ny')).toBe(
      ': hello\nretry: 5\ndata: x\ndata: y\n\n',
    );
  });
});
