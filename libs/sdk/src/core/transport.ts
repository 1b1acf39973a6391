import { apiError, ConnectionError, MillwrightError, retryAfterOf, UnexpectedAnswerError } from './errors.js';

export type Service = 'platform' | 'runtime' | 'prompt';

export interface ClientOptions {
  /** API key (`mw_live_…`), personal access token or OAuth access token; a function is called for each request. */
  apiKey: string | (() => string | Promise<string>);
  /** Base address of the platform API, such as `https://agents.example.com`. */
  baseUrl: string;
  /** Base address of the runtime API. Default: `baseUrl`. */
  runtimeUrl?: string;
  /** Base address of the prompt API. Default: `baseUrl`. */
  promptUrl?: string;
  /** Number of retries of a request that may be repeated. Default: 2. */
  maxRetries?: number;
  /**
   * Milliseconds until the head of an answer must arrive. Default: ten minutes, because answers of models take long.
   */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Idempotency key: repeated requests with the same key get the same answer for 24 hours. Default: a new key for each call. */
  idempotencyKey?: string;
  /** ETag that the record had when it was read. A record that has changed since then is not overwritten (412). */
  ifMatch?: string;
  maxRetries?: number;
  timeoutMs?: number;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Call {
  service: Service;
  method: string;
  path: string;
  query?: Query | undefined;
  /** Body of the request: JSON, or a text or form that is sent unchanged. */
  body?: unknown;
  contentType?: string;
  accept?: string;
  /** Whether the operation accepts an `Idempotency-Key`. */
  keyed?: boolean;
  options?: RequestOptions | undefined;
}

export type Send = (call: Call) => Promise<Response>;

/** Longest wait before a retry, in milliseconds. When `Retry-After` is longer, the caller gets the error. */
const MOST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Makes the function that sends the requests of a client. @throws MillwrightError if an option is missing or is not an address */
export function createSend(options: ClientOptions): Send {
  const { apiKey, baseUrl, maxRetries = 2, timeoutMs = 600_000 } = options;
  if (!apiKey) throw new MillwrightError('apiKey is missing: make a key in the console under "API keys".');
  const addresses: Record<Service, string> = {
    platform: address('baseUrl', baseUrl),
    runtime: address('runtimeUrl', options.runtimeUrl ?? baseUrl),
    prompt: address('promptUrl', options.promptUrl ?? baseUrl),
  };
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (call) => {
    const own = call.options ?? {};
    const url = `${addresses[call.service]}${call.path}${searchOf(call.query)}`;
    const credential = typeof apiKey === 'function' ? await apiKey() : apiKey;
    const init = { method: call.method, headers: headersOf(call, credential), body: bodyOf(call) };
    // A repeatable request is sent again after any temporary failure. Other requests are sent again only if the service refused to read them.
    const repeatable = call.method === 'GET' || call.keyed === true;
    const tries = (own.maxRetries ?? maxRetries) + 1;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await attemptOnce(send, url, init, own.signal, own.timeoutMs ?? timeoutMs).catch(
        (cause: unknown) => connectionError(call.service, url, own.signal, cause),
      );
      if (answer instanceof Response && answer.ok) return answer;
      const wait = answer instanceof Response ? waitFor(answer, repeatable) : repeatable ? 0 : undefined;
      if (attempt >= tries || wait === undefined || wait > MOST_WAIT_MS)
        throw answer instanceof Response ? await errorOf(call.service, url, answer) : answer;
      if (answer instanceof Response) await answer.body?.cancel();
      await sleep(Math.max(wait, FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)), own.signal);
    }
  };
}

function address(name: string, value: string | undefined): string {
  if (!value) throw new MillwrightError(`${name} is missing: the base address of your installation.`);
  if (!URL.canParse(value) || !/^https?:/.test(value))
    throw new MillwrightError(`${name} is not an address: ${value}. It begins with https:// or http://.`);
  return value.replace(/\/+$/, '');
}

function searchOf(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}

function headersOf({ accept = 'application/json', body, contentType, keyed, options = {} }: Call, apiKey: string) {
  const key = options.idempotencyKey ?? (keyed ? crypto.randomUUID() : undefined);
  return {
    Accept: accept,
    Authorization: `Bearer ${apiKey}`,
    // A form gets no content type here, because `fetch` sets one with the boundary that it chooses.
    ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': contentType ?? 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(options.ifMatch !== undefined && { 'If-Match': options.ifMatch }),
    ...options.headers,
  };
}

function bodyOf({ body }: Call): string | FormData | undefined {
  if (body === undefined || body instanceof FormData) return body;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function attemptOnce(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException(`no answer within ${timeoutMs / 1_000} s`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await send(url, { ...init, signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Makes the error for a request without an answer. @throws the reason of `signal` if the caller aborted the request */
function connectionError(service: Service, url: string, signal: AbortSignal | undefined, cause: unknown) {
  if (signal?.aborted) throw signal.reason;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message || inner.name : String(inner);
  return new ConnectionError(`The ${service} API at ${new URL(url).origin} cannot be reached: ${why}.`, { cause });
}

/** Returns the milliseconds until the next attempt; `undefined` when the request is not repeated. */
function waitFor({ status, headers }: Response, repeatable: boolean): number | undefined {
  const wait = (retryAfterOf(headers) ?? 0) * 1_000;
  if (status === 429) return wait;
  // Millwright answers 503 with `Retry-After` before it reads a request. A 502, 503 or 504 of a proxy may come after
  // the request was read.
  if (status === 503 && headers.has('retry-after') && headers.has('x-request-id')) return wait;
  return repeatable && [502, 503, 504].includes(status) ? wait : undefined;
}

async function errorOf(service: Service, url: string, answer: Response): Promise<MillwrightError> {
  const body = parsed(await textOf(answer));
  if (body === undefined) return unexpected(service, url, answer);
  return apiError(answer.status, body, answer.headers);
}

/** Makes the error for an answer that does not come from Millwright. */
export function unexpected(service: Service, url: string, { status, headers }: Response): UnexpectedAnswerError {
  const type = headers.get('content-type') ?? 'no content type';
  const option = { platform: 'baseUrl', runtime: 'runtimeUrl', prompt: 'promptUrl' }[service];
  return new UnexpectedAnswerError(
    `${url} answered with status ${status} and ${type} instead of JSON: ${option} has to be the address of the ${service} API.`,
    status,
  );
}

/** Maximum number of bytes of an answer in JSON. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Returns the text of an answer; an empty text when the answer is too long or breaks off. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return text + decoder.decode();
      bytes += value?.length ?? 0;
      if (bytes > MOST_BYTES) return '';
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return '';
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses the JSON of an answer. @throws UnexpectedAnswerError if the answer is not JSON, is too long or breaks off */
export async function jsonOf(service: Service, answer: Response): Promise<unknown> {
  const body = parsed(await textOf(answer));
  if (body === undefined) throw unexpected(service, answer.url, answer);
  return body;
}

export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      // The cast is needed, because the reason of an abort may be of any type.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  });
}
