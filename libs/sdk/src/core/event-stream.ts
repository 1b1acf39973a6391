import { apiError, ApiError, MillwrightError, StreamInterruptedError } from './errors.js';
import { sleep, type Call, type Send } from './transport.js';

export interface StreamEvent {
  event: string;
  id?: string;
  data: unknown;
}

/** Maximum number of characters of one event. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Maximum number of consecutive connections that deliver no event. After that number, the stream is not resumed again. */
const MOST_VAIN = 6;

/** Yields the events of a `text/event-stream` body (WHATWG HTML, section 9.2). */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      if (rest.length > MOST_CHARACTERS) throw new MillwrightError('An event of the stream is too long.');
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '');
  const data = valuesOf('data');
  if (data.length === 0) return undefined;
  const [id] = valuesOf('id');
  const value = JSON.parse(data.join('\n')) as unknown;
  // Events without an `event` line, as in OpenAI's formats, may have their name in the field `type` of their data.
  const event = valuesOf('event')[0] ?? (value as { type?: string } | null)?.type ?? 'message';
  return { event, ...(id !== undefined && { id }), data: value };
}

/**
 * Yields the events of a call, up to the first event whose name is in `ends`. With `resumable`, a stream that breaks
 * off earlier is resumed after the last received event.
 *
 * @throws ApiError if the stream contains an event `error`, StreamInterruptedError if the stream ends before an event of `ends`.
 */
export async function* followEvents(
  send: Send,
  call: Call,
  ends: readonly string[],
  resumable: boolean,
): AsyncGenerator<StreamEvent, void> {
  const signal = call.options?.signal;
  let lastId = call.options?.headers?.['Last-Event-ID'];
  let isBegun = false;
  for (let vain = 0; ; vain += 1) {
    const headers = { ...call.options?.headers, ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
    try {
      const answer = await send({ ...call, options: { ...call.options, headers } });
      // Status 204 means that the stream has ended and that all events were received.
      if (answer.status === 204 || !answer.body) return;
      isBegun = true;
      for await (const event of readEvents(answer.body)) {
        if (event.event === 'error') throw streamError(event.data, answer.headers);
        yield event;
        if (ends.includes(event.event)) return;
        lastId = event.id ?? lastId;
        vain = 0;
      }
    } catch (cause) {
      if (signal?.aborted || cause instanceof ApiError || !resumable || !isBegun) throw interrupted(cause, signal);
    }
    if (!resumable || vain >= MOST_VAIN) throw interrupted(undefined, signal);
    await sleep(250 * 2 ** vain, signal);
  }
}

/** Makes an ApiError from an error event of the stream. The event's data are the JSON body of an error answer. */
function streamError(data: unknown, headers: Headers): ApiError {
  const { error } = data as { error?: { status?: unknown } };
  const status = typeof error?.status === 'number' ? error.status : 500;
  return apiError(status, error ? data : { error: data }, headers);
}

function interrupted(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (cause instanceof MillwrightError) return cause;
  return new StreamInterruptedError('The stream ended before its last event.', { cause });
}
