import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Addresses } from '../login/logins.js';
import { readJson } from './read-json.js';

export type ServiceName = 'platform' | 'runtime' | 'prompt';

export interface ApiOptions {
  addresses: Addresses;
  /** The credential of a request: an API key or a gateway token. */
  credential: () => Promise<Credential>;
  /** Name of the login, for errors. */
  profile: string;
}

export interface Credential {
  kind: 'key' | 'token';
  text: string;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  form?: FormData;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the answer is complete. Default: 60 s; none for a stream. */
  timeoutMs?: number;
}

/** The three APIs of an installation. Every failure is a CommandRefused with the next step. */
export interface Api {
  readonly addresses: Addresses;
  /** A JSON answer, checked by a schema. */
  json<Schema extends z.ZodType>(
    service: ServiceName,
    path: string,
    schema: Schema,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
  /** A successful answer of any form. */
  open(service: ServiceName, path: string, options?: CallOptions): Promise<Response>;
}

/** Limit of a JSON answer in bytes. */
const MAX_BYTES = 32 * 1_048_576;
const TIMEOUT_MS = 60_000;
/** Attempts of a request that may be repeated, and the longest wait between two of them in seconds. */
const ATTEMPTS = 3;
const MAX_WAIT_SECONDS = 10;

const LABEL: Readonly<Record<ServiceName, string>> = {
  platform: 'platform API',
  runtime: 'runtime API',
  prompt: 'prompt API',
};

const Failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ field: z.string(), reason: z.string() }).optional(),
  }),
});

export function createApi({ addresses, credential, profile }: ApiOptions): Api {
  const baseOf: Readonly<Record<ServiceName, string>> = {
    platform: addresses.base_url,
    runtime: addresses.runtime_url,
    prompt: addresses.prompt_url,
  };

  async function headersOf(service: ServiceName, options: CallOptions): Promise<Record<string, string>> {
    const { kind, text } = await credential();
    const isPromptKey = service === 'prompt' && kind === 'key';
    return {
      accept: 'application/json',
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(isPromptKey ? { 'api-key': text } : { authorization: `Bearer ${text}` }),
      // A repeated POST with its key has one effect.
      ...(options.method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...options.headers,
    };
  }

  async function send(service: ServiceName, path: string, options: CallOptions, isStream: boolean): Promise<Response> {
    const { method = 'GET', body, form, timeoutMs = isStream ? undefined : TIMEOUT_MS } = options;
    const headers = await headersOf(service, options);
    const isRepeatable = method === 'GET' || (method === 'POST' && !form);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !isRepeatable || attempt === ATTEMPTS;
      const answer = await fetch(`${baseOf[service]}${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
        ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
      }).catch((error: unknown) => {
        if (isLast) throw unreachable(service, baseOf[service], error);
        return undefined;
      });
      if (answer && (answer.ok || isLast || !isBusy(answer))) return answer;
      const wait = Number(answer?.headers.get('retry-after') ?? 1);
      if (answer && !(wait <= MAX_WAIT_SECONDS)) return answer;
      await answer?.body?.cancel();
      await sleep(wait * 1_000);
    }
  }

  async function successful(service: ServiceName, path: string, options: CallOptions, isStream: boolean) {
    const answer = await send(service, path, options, isStream);
    if (answer.ok) return answer;
    throw await refusalOf(service, answer, { base: baseOf[service], profile });
  }

  return {
    addresses,
    open: (service, path, options = {}) => successful(service, path, options, true),
    async json(service, path, schema, options = {}) {
      const answer = await successful(service, path, options, false);
      const value = await readJson(answer, MAX_BYTES);
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw notAnApi(service, baseOf[service], answer, parsed.error);
    },
  };
}

const isBusy = ({ status }: Response) => status === 429 || status === 503;

function unreachable(service: ServiceName, base: string, cause: unknown): CommandRefused {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return new CommandRefused(
    `The ${LABEL[service]} at ${base} does not answer (${reason}). Check the network and the address (millwright status).`,
    { kind: 'unreachable', detail: { service }, cause },
  );
}

const notAnApi = (service: ServiceName, base: string, { headers, status }: Response, cause?: unknown) =>
  new CommandRefused(
    `${base} answered ${status} with ${headers.get('content-type') ?? 'no content'}, not as the ${LABEL[service]} does. Check the address: millwright login --help`,
    { code: 'not_the_api', detail: { service, status }, cause },
  );

async function refusalOf(service: ServiceName, answer: Response, at: { base: string; profile: string }) {
  const parsed = Failure.safeParse(await readJson(answer, MAX_BYTES));
  if (!parsed.success) return notAnApi(service, at.base, answer);
  const { code, message, details } = parsed.data.error;
  const requestId = answer.headers.get('x-request-id');
  const detail = { status: answer.status, service, ...(requestId !== null && { request_id: requestId }) };
  if (answer.status === 401)
    return new CommandRefused(
      `The ${LABEL[service]} refuses the credential of "${at.profile}": it was revoked, has expired, or belongs to another installation. Log in again: millwright login`,
      { kind: 'not_logged_in', code: code.toLowerCase(), detail },
    );
  const field = details && !message.includes(details.field) ? ` ${details.field}: ${details.reason}` : '';
  return new CommandRefused(`${message}${field}`, { code: code.toLowerCase(), detail });
}
