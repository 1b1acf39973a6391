import { MessageRefused, readMessage, type ServerMessage } from './server-message.js';

/** Default limit of one message, in bytes. */
export const MESSAGE_MAX_BYTES = 4 * 1_048_576;

export interface ReadLimits {
  /** Maximum size of one event, or of a whole body, in bytes. */
  maxBytes?: number;
  /** Called with the number of bytes held in memory whenever it changes. @throws an error, which ends the reading */
  hold?: ((bytes: number) => void) | undefined;
}

/** The blank line at the end of an event (WHATWG HTML §9.2.6). */
const BLANK_LINE = /\r\n\r?\n|\n\r?\n|\r\r\n?/;
/** Maximum number of characters at the end of a text that can be the beginning of a blank line. The next text may complete such a line. */
const OVERLAP = 3;

const tooLarge = (maxBytes: number) =>
  new MessageRefused(`A message of the MCP server is larger than ${maxBytes} bytes`);

/**
 * Splits a stream of server-sent events into whole events, each with its final blank line. Each byte is searched once,
 * however the stream is divided into chunks.
 *
 * @throws MessageRefused for an event that is too large
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  { maxBytes = MESSAGE_MAX_BYTES, hold = () => undefined }: ReadLimits = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let tail = '';
  try {
    for await (const chunk of body) {
      let text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      for (let end = endIn(tail, text); end !== undefined; end = endIn(tail, text)) {
        const event = parts.join('') + text.slice(0, end);
        if (event.length > maxBytes) throw tooLarge(maxBytes);
        text = text.slice(end);
        [parts, length, tail] = [[], 0, ''];
        hold(event.length + text.length);
        yield event;
      }
      parts.push(text);
      length += text.length;
      tail = (tail + text).slice(-OVERLAP);
      if (length > maxBytes) throw tooLarge(maxBytes);
      hold(length);
    }
  } finally {
    hold(0);
  }
}

/**
 * Converts a stream with one message per line to events. Text without a message in its first line is treated as one message.
 *
 * @throws MessageRefused for a message that is too large
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  { maxBytes = MESSAGE_MAX_BYTES, hold = () => undefined }: ReadLimits = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isOneMessage = false;
  try {
    for await (const chunk of body) {
      rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      for (let end = rest.indexOf('\n'); end >= 0 && !isOneMessage; end = rest.indexOf('\n')) {
        const line = rest.slice(0, end).trim();
        isOneMessage = line !== '' && !isJson(line);
        if (isOneMessage) break;
        rest = rest.slice(end + 1);
        if (line !== '') yield withData('', line);
      }
      if (rest.length > maxBytes) throw tooLarge(maxBytes);
      hold(rest.length);
    }
    if (rest.trim() !== '') yield withData('', rest.trim());
  } finally {
    hold(0);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the index in `text` at which the event ends; undefined when it does not end there. `tail` is the end of the preceding text,
 * because the final blank line may begin in it.
 */
function endIn(tail: string, text: string): number | undefined {
  const match = BLANK_LINE.exec(tail + text.slice(0, OVERLAP)) ?? undefined;
  // A blank line that is completely in `tail` belongs to the previous event.
  const across = match && match.index + match[0].length - tail.length;
  if (across !== undefined && across > 0) return across;
  const inside = BLANK_LINE.exec(text);
  return inside ? inside.index + inside[0].length : undefined;
}

/** Reads a body as text. @throws MessageRefused for a body that is too large. When `Content-Length` shows this, nothing is read */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  { maxBytes = MESSAGE_MAX_BYTES, hold = () => undefined }: ReadLimits = {},
  announcedBytes = 0,
): Promise<string> {
  if (announcedBytes > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    hold(length);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const linesOf = (event: string) => event.split(/\r\n|\n|\r/);

/** The data of an event. The data are empty for a comment and for an event without data. */
export const dataOf = (event: string): string =>
  linesOf(event)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');

/** The JSON-RPC message of an event; undefined when `readMessage` returns undefined. @throws MessageRefused when `readMessage` throws it */
export const messageOf = (event: string): ServerMessage | undefined => {
  const data = dataOf(event);
  return data === '' ? undefined : readMessage(data);
};

/** Matches the lines that are kept: comments, and the fields that clients of MCP read in addition to the data. */
const KEPT = /^(?:(?:id|retry)(?::|$)|event: ?message$|:)/;

/**
 * Makes an event with new data and with those fields of the given event that a client needs. Data are written even when
 * they are empty, because clients ignore the id of an event without data.
 */
export function withData(event: string, data: string): string {
  const others = linesOf(event).filter((line) => KEPT.test(line));
  const isWithoutData = data === '' && !linesOf(event).some((line) => /^data(?::|$)/.test(line));
  const lines = isWithoutData ? [] : data.split('\n').map((line) => (line === '' ? 'data:' : `data: ${line}`));
  return [...others, ...lines, '', ''].join('\n');
}

/** Whether clients treat the data of the event as a message. They do so for events without a name. */
export const isMessageEvent = (event: string): boolean =>
  linesOf(event).every((line) => !line.startsWith('event') || /^event(?:: ?(?:message)?)?$/.test(line));

export function isEventStream(response: { headers: Pick<Headers, 'get'> }): boolean {
  return (response.headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');
}

/** Finds the message that answers the request with this id in a stream of events. @throws MessageRefused for a message that is too large */
export async function findReply(
  body: AsyncIterable<Uint8Array | string>,
  id: unknown,
  limits?: ReadLimits,
): Promise<ServerMessage | undefined> {
  for await (const event of readEvents(body, limits)) {
    const message = messageOf(event);
    if (message && message.id === id && message.method === undefined) return message;
  }
  return undefined;
}
