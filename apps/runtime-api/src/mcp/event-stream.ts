import type { McpAnswer } from './mcp-call.js';

/** Of one event, in characters. */
const LONGEST_EVENT = 16 * 1_048_576;

/** Whole events of a stream of server-sent events (WHATWG HTML §9.2.6), each with the blank line at its end. @throws Error for one without end */
export async function* readEvents(
  body: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    for (let end = endOfEvent(text); end > 0; end = endOfEvent(text)) {
      yield text.slice(0, end);
      text = text.slice(end);
    }
    if (text.length > LONGEST_EVENT) throw new Error('An event of the stream is too long.');
  }
}

function endOfEvent(text: string): number {
  const match = /\r\n\r\n|\n\n|\r\r(?!\n)/.exec(text);
  return match ? match.index + match[0].length : 0;
}

/** The JSON that an event carries; undefined for a comment, an empty event, or what is not JSON. */
export function messageOf(event: string): unknown {
  const data = event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
  if (data === '') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** The event with another message, its other fields as they are. */
export function withMessage(event: string, message: unknown): string {
  const others = event.split(/\r\n|\n|\r/).filter((line) => line !== '' && !line.startsWith('data:'));
  return [...others, `data: ${JSON.stringify(message)}`, '', ''].join('\n');
}

export function isEventStream(response: { headers: Pick<Headers, 'get'> }): boolean {
  return (response.headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');
}

/** Events as an answer. */
export const eventsAnswer = (
  body: AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {},
): McpAnswer => ({
  status: 200,
  headers: { ...headers, 'content-type': 'text/event-stream' },
  body,
});

export const jsonAnswer = (
  message: unknown,
  { status = 200, headers = {} }: Pick<Partial<McpAnswer>, 'status' | 'headers'> = {},
): McpAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(message),
});
