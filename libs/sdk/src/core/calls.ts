import { MillwrightError } from './errors.js';
import { followEvents, type StreamEvent } from './event-stream.js';
import { Pages, type Paging } from './pages.js';
import { jsonOf, type Call, type Query, type Send } from './transport.js';

/** Encodes an id as one segment of a path. @throws MillwrightError for a value that would lead to another path. */
export function segment(name: string, value: string | number): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..') throw new MillwrightError(`${name} is not an id: "${text}".`);
  return encodeURIComponent(text);
}

export async function readJson<Answer>(send: Send, call: Call): Promise<Answer> {
  return (await jsonOf(call.service, await send(call))) as Answer;
}

export async function readNothing(send: Send, call: Call): Promise<void> {
  const answer = await send(call);
  await answer.body?.cancel();
}

export async function readText(send: Send, call: Call): Promise<string> {
  const answer = await send({ ...call, accept: 'text/*' });
  return answer.text();
}

export function readPages<Item, Page>(send: Send, call: Call, paging: Paging, query: object): Pages<Item, Page> {
  return new Pages((next) => readJson(send, { ...call, query: next }), paging, query as Query);
}

export function readEventsOf<Event extends StreamEvent>(
  send: Send,
  call: Call,
  ends: readonly string[],
  resumable: boolean,
): AsyncGenerator<Event, void> {
  const events = followEvents(send, { ...call, accept: 'text/event-stream' }, ends, resumable);
  // The cast is correct, because the type is generated from the service's OpenAPI document, which describes each event.
  return events as AsyncGenerator<Event, void>;
}

/** Makes a multipart form with the fields and, after them, the file. */
export function formOf(file: Blob, name: string, fields: object): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields as Record<string, string | number | boolean | undefined>))
    if (value !== undefined) form.append(field, String(value));
  // The file is the last part, so that the service has all fields before it stores the bytes.
  form.append('file', file, name);
  return form;
}
