import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { EgressError, toEgressError } from './egress-error.js';

/** How much an answer may take. */
export interface Profile {
  /** For the whole call, the body included. Infinity leaves time to the caller's signal. */
  timeoutMs: number;
  /** Of the body, after decompression. */
  maxBytes: number;
}

/** These belong to the connection and the URL; a caller (or a user's header setting) must not steer them. */
const connectionHeaders = [
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
];

function requestHeaders(init: RequestInit, own: Readonly<Record<string, string>>): Record<string, string> {
  const headers = new Headers(init.headers);
  for (const name of connectionHeaders) headers.delete(name);
  if (init.body instanceof URLSearchParams && !headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  }
  return { ...Object.fromEntries(headers), ...own };
}

/** What can be sent again unchanged when a pooled connection turns out dead. */
function requestBody(body: RequestInit['body']): string | Uint8Array | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('An outbound body is a string, a Uint8Array or URLSearchParams.');
}

function responseHeaders(raw: Dispatcher.ResponseData['headers']): [string, string][] {
  return Object.entries(raw).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((item): [string, string] => [name, item]),
  );
}

/** Ends the call when the caller or the clock says so, and says which of them it was. */
function createScope(signal: AbortSignal | null | undefined, timeoutMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => controller.abort(new EgressError('timeout', `No whole answer in ${timeoutMs} ms.`)), timeoutMs)
    : undefined;
  return {
    signal: controller.signal,
    /** What to throw for a failure: the caller's own reason when the caller ended the call. */
    failure: (error: unknown): unknown => (controller.signal.aborted ? controller.signal.reason : toEgressError(error)),
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

type Scope = ReturnType<typeof createScope>;

function tooLarge(maxBytes: number): EgressError {
  return new EgressError('too_large', `The answer is larger than ${maxBytes} bytes.`);
}

/** The body as a web stream that counts, and that lets go of the connection however reading ends. */
function cappedStream(body: Readable, maxBytes: number, scope: Scope): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let received = 0;
  const fail = (error: unknown): never => {
    scope.end();
    body.destroy();
    throw error;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => fail(scope.failure(error)));
      if (next.done) {
        scope.end();
        controller.close();
        return;
      }
      received += next.value.byteLength;
      if (received > maxBytes) fail(tooLarge(maxBytes));
      controller.enqueue(next.value);
    },
    cancel() {
      scope.end();
      body.destroy();
    },
  });
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** We ask for no encoding, and some servers use one all the same. The headers that describe it go with it. */
function decoded(body: Readable, headers: Dispatcher.ResponseData['headers']): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || encoding === '') return body;
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new EgressError('network', 'The answer is encoded in a way that was not asked for.');
  delete headers['content-encoding'];
  delete headers['content-length'];
  // Failures of either end surface at the decoder, where they are read.
  return pipeline(body, decoder, () => undefined);
}

const bodiless = new Set([204, 205, 304]);

/** Drops the answer's body, and with it the connection when something of it is still to come. */
const discard = (body: Readable) => body.on('error', () => undefined).destroy();

function toResponse(answer: Dispatcher.ResponseData, method: string, maxBytes: number, scope: Scope): Response {
  const { statusCode: status, headers, body } = answer;
  if (method === 'HEAD' || bodiless.has(status)) {
    discard(body);
    scope.end();
    return new Response(null, { status, headers: responseHeaders(headers) });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const readable = decoded(body, headers);
  return new Response(cappedStream(readable, maxBytes, scope), { status, headers: responseHeaders(headers) });
}

/**
 * One HTTP exchange, as a `Response`. Never follows a redirect. Works on undici's request rather than its fetch, which costs
 * about three times the CPU for what these callers need.
 *
 * @throws EgressError, or the reason of the caller's signal when that ended the call. So do reads of the body.
 */
export async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit,
  profile: Profile,
  ownHeaders: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const method = init.method?.toUpperCase() ?? 'GET';
  const scope = createScope(init.signal, profile.timeoutMs);
  let answer: Dispatcher.ResponseData | undefined;
  try {
    scope.signal.throwIfAborted();
    answer = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: requestHeaders(init, ownHeaders),
      body: requestBody(init.body),
      signal: scope.signal,
    });
    return toResponse(answer, method, profile.maxBytes, scope);
  } catch (error) {
    if (answer) discard(answer.body);
    scope.end();
    throw scope.failure(error);
  }
}
