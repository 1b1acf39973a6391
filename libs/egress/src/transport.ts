import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { EgressError, toEgressError } from './egress-error.js';

/** Limits of an answer. */
export interface Profile {
  /** Time limit of the whole call, including the body. With Infinity, only the caller's signal ends the call. */
  timeoutMs: number;
  /** Maximum size of the body after decompression. */
  maxBytes: number;
}

/** Headers that belong to the connection or the URL. Neither a caller nor a user's setting of headers may set them. */
const connectionHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'transfer-encoding',
  'content-length',
]);

function requestHeaders(init: RequestInit, own: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.fromEntries(
    Object.entries(headersOf(init.headers)).filter(([name]) => !connectionHeaders.has(name)),
  );
  if (init.body instanceof URLSearchParams)
    headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
  return { ...headers, ...own };
}

/** Headers by lower-case name. Repeated headers are joined (RFC 9110 §5.3). */
export function headersOf(init: RequestInit['headers']): Record<string, string> {
  if (init === undefined) return {};
  if (init instanceof Headers || Array.isArray(init)) return Object.fromEntries(new Headers(init));
  const entries = Object.entries(init).map(
    ([name, value]: [string, unknown]) => [name.toLowerCase(), String(value).trim()] as const,
  );
  const headers = Object.fromEntries(entries);
  // For distinct names, `Headers` would give the same result at several times the cost.
  return Object.keys(headers).length === entries.length ? headers : Object.fromEntries(new Headers(init));
}

/** Converts the body to a form that can be sent a second time. That is needed when a pooled connection turns out to be closed. */
function requestBody(body: RequestInit['body']): string | Uint8Array | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('An outbound body is a string, a Uint8Array or URLSearchParams.');
}

/** Begins the use of a connection by a call. Resolves to the function that ends the use. */
export type Enter = (signal: AbortSignal) => Promise<() => void>;

/** Ends the call when the caller aborts or the time is over, and keeps the reason of the end. */
function createScope(signal: AbortSignal | null | undefined, timeoutMs: number) {
  const controller = new AbortController();
  let leave: (() => void) | undefined;
  controller.signal.addEventListener('abort', () => leave?.(), { once: true });
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => controller.abort(new EgressError('timeout', `No whole answer in ${timeoutMs} ms.`)), timeoutMs)
    : undefined;
  return {
    signal: controller.signal,
    /** Returns the error to throw: the reason of the caller when the caller ended the call, else the error itself. */
    failure: (error: unknown): unknown => (controller.signal.aborted ? controller.signal.reason : toEgressError(error)),
    async enter(enter: Enter | undefined) {
      leave = await enter?.(controller.signal);
      controller.signal.throwIfAborted();
    },
    end() {
      leave?.();
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

type Scope = ReturnType<typeof createScope>;

function tooLarge(maxBytes: number): EgressError {
  return new EgressError('too_large', `The answer is larger than ${maxBytes} bytes.`);
}

/** Yields the chunks of the body, counts its bytes, and releases the connection when reading ends for any reason. */
async function* capped(body: Readable, maxBytes: number, scope: Scope): AsyncGenerator<Uint8Array, undefined> {
  const chunks: AsyncIterable<Uint8Array> = body;
  let received = 0;
  try {
    for await (const chunk of chunks) {
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw scope.failure(error);
  } finally {
    scope.end();
    discard(body);
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Decodes the body, because some servers encode it although the request does not allow this. Removes the headers that
 * describe the encoding.
 */
function decoded(body: Readable, headers: Dispatcher.ResponseData['headers']): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || encoding === '') return body;
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new EgressError('network', 'The answer is encoded in a way that was not asked for.');
  delete headers['content-encoding'];
  delete headers['content-length'];
  // Failures of both streams appear at the decoder, because the caller reads the decoder.
  return pipeline(body, decoder, () => undefined);
}

const bodiless = new Set([204, 205, 304]);

/** Discards the answer's body, and closes the connection when the body is not complete. */
const discard = (body: Readable) => body.on('error', () => undefined).destroy();

/** Answer of a call. Reading its body throws the same errors as the call. */
export interface EgressAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Pick<Headers, 'get'>;
  /** Body of the answer. The caller must read it once or cancel it. */
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

type RawHeaders = Dispatcher.ResponseData['headers'];

/** An answer that can be converted to a `Response`. The conversion costs more than reading a small answer. */
class Answer implements EgressAnswer {
  readonly ok: boolean;
  readonly headers: Pick<Headers, 'get'>;
  readonly status: number;
  private readonly raw: RawHeaders;
  readonly body: EgressAnswer['body'];

  constructor(status: number, raw: RawHeaders, body: EgressAnswer['body']) {
    this.status = status;
    this.raw = raw;
    this.body = body;
    this.ok = status >= 200 && status < 300;
    this.headers = { get: (name) => headerOf(raw, name) };
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.body ?? []) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  toResponse(): Response {
    const headers = Object.entries(this.raw).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((item): [string, string] => [name, item]),
    );
    return new Response(this.body && webStream(this.body), { status: this.status, headers });
  }
}

function headerOf(raw: RawHeaders, name: string): string | null {
  const value = raw[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function webStream(body: NonNullable<EgressAnswer['body']>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => body.cancel(),
  });
}

function answerOf(data: Dispatcher.ResponseData, method: string, maxBytes: number, scope: Scope): Answer {
  const { statusCode: status, headers, body } = data;
  if (status < 200 || status > 599) throw new EgressError('network', 'The status of the answer is none.');
  if (method === 'HEAD' || bodiless.has(status)) {
    discard(body);
    scope.end();
    return new Answer(status, headers, null);
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const readable = decoded(body, headers);
  const chunks = capped(readable, maxBytes, scope);
  const cancel = (): Promise<void> => {
    // The `finally` of a generator does not run when the generator was never started.
    scope.end();
    discard(readable);
    return Promise.resolve();
  };
  return new Answer(status, headers, { [Symbol.asyncIterator]: () => chunks, cancel });
}

/**
 * Makes one HTTP exchange, and never follows a redirect. It uses undici's `request`; undici's `fetch` costs about three
 * times the CPU for what these callers need.
 *
 * @throws EgressError, or the reason of the caller's signal when the signal ended the call. Reads of the body throw the same errors.
 */
export async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit,
  profile: Profile,
  { headers = {}, enter }: { headers?: Readonly<Record<string, string>>; enter?: Enter | undefined } = {},
): Promise<Answer> {
  const method = init.method?.toUpperCase() ?? 'GET';
  const scope = createScope(init.signal, profile.timeoutMs);
  let data: Dispatcher.ResponseData | undefined;
  try {
    scope.signal.throwIfAborted();
    await scope.enter(enter);
    data = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: requestHeaders(init, headers),
      body: requestBody(init.body),
      signal: scope.signal,
    });
    return answerOf(data, method, profile.maxBytes, scope);
  } catch (error) {
    if (data) discard(data.body);
    scope.end();
    throw scope.failure(error);
  }
}
