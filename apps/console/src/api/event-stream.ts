/** A server-sent event (WHATWG HTML §9.2.6). */
export interface StreamEvent {
  event: string;
  data: string;
}

export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let rest = '';
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      const parts = rest.split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const event = parse(part);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(text: string): StreamEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  // An event without data is ignored: MCP servers send some events with only an id.
  return data.join('') === '' ? undefined : { event, data: data.join('\n') };
}
