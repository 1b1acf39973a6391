import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';

/** Characters written per turn of the event loop: about a millisecond of work. */
const TURN_CHARACTERS = 65_536;

/**
 * Answers with a body in JSON, as Express does. Other requests are answered between the entries of a long list, because
 * a page of several MiB that is written at once would delay them.
 */
export async function sendJson(response: Response, body: unknown): Promise<void> {
  const parts: Buffer[] = [];
  let text = '';
  if (!response.hasHeader('Content-Type')) response.type('json');
  const endPart = () => {
    parts.push(Buffer.from(text));
    text = '';
  };
  for (const piece of piecesOf(body)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    endPart();
    await setImmediate();
    if (response.destroyed) return;
  }
  endPart();
  response.set('Content-Length', String(parts.reduce((total, { length }) => total + length, 0)));
  for (const part of parts) response.write(part);
  response.end();
}

/** The JSON text of a body in pieces, one for each entry of its lists. */
function* piecesOf(body: unknown): Generator<string> {
  if (Array.isArray(body)) yield* entriesOf(body);
  else if (!isPlain(body)) yield JSON.stringify(body);
  else {
    let before = '{';
    for (const [name, value] of Object.entries(body)) {
      if (Array.isArray(value)) {
        yield `${before}${JSON.stringify(name)}:`;
        yield* entriesOf(value);
      } else {
        const text = jsonOf(value);
        if (text === undefined) continue;
        yield `${before}${JSON.stringify(name)}:${text}`;
      }
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* entriesOf(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of list) {
    yield before + (jsonOf(entry) ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/**
 * The result is `undefined` for values that JSON cannot represent; the declared type of `stringify` omits this case.
 */
const jsonOf = (value: unknown) => JSON.stringify(value) as string | undefined;

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype && !('toJSON' in body);
