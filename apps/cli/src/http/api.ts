import { ApiError, ConnectionError, Millwright, UnexpectedAnswerError } from '@millwright/sdk';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Addresses } from '../login/logins.js';
import { readJson } from '../read-json.js';

export type ServiceName = 'platform' | 'runtime' | 'prompt';

export interface ApiOptions {
  addresses: Addresses;
  /** Returns the API key or the gateway token with which a request is sent. */
  credential: () => Promise<string>;
  /** Name of the login, for error messages. */
  profile: string;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  form?: FormData;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the answer must be complete. Default: 60 s; no limit for a stream. */
  timeoutMs?: number;
}

/** The three APIs of an installation. Every failure is a CommandRefused with the next step. */
export interface Api {
  readonly addresses: Addresses;
  /** Sends a request, and returns the JSON of the answer, checked by a schema. */
  json<Schema extends z.ZodType>(
    service: ServiceName,
    path: string,
    schema: Schema,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
  /** Sends a request, and returns the answer if its status is a success. */
  open(service: ServiceName, path: string, options?: CallOptions): Promise<Response>;
  /** The SDK's client; `refusalOf` converts its failures to CommandRefused. */
  readonly client: Millwright;
  refusalOf(service: ServiceName, error: unknown): unknown;
}

/** Maximum size of a JSON answer, in bytes. */
const MAX_BYTES = 32 * 1_048_576;
const TIMEOUT_MS = 60_000;

const LABEL: Readonly<Record<ServiceName, string>> = {
  platform: 'platform API',
  runtime: 'runtime API',
  prompt: 'prompt API',
};

export function createApi({ addresses, credential, profile }: ApiOptions): Api {
  const baseOf: Readonly<Record<ServiceName, string>> = {
    platform: addresses.base_url,
    runtime: addresses.runtime_url,
    prompt: addresses.prompt_url,
  };
  const client = new Millwright({
    apiKey: credential,
    baseUrl: baseOf.platform,
    runtimeUrl: baseOf.runtime,
    promptUrl: baseOf.prompt,
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });

  const refused = (service: ServiceName, error: unknown) =>
    refusalOf(service, error, { base: baseOf[service], profile });

  async function send(service: ServiceName, path: string, options: CallOptions, isStream: boolean): Promise<Response> {
    const { method = 'GET', body, form, timeoutMs = isStream ? undefined : TIMEOUT_MS } = options;
    const { accept = 'application/json', ...headers } = options.headers ?? {};
    const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
    try {
      return await client.send({
        ...{ service, method, path, accept, body: form ?? body },
        ...{ keyed: method === 'POST', options: { headers, ...signal } },
      });
    } catch (error) {
      throw refused(service, error);
    }
  }

  return {
    addresses,
    client,
    refusalOf: refused,
    open: (service, path, options = {}) => send(service, path, options, true),
    async json(service, path, schema, options = {}) {
      const answer = await send(service, path, options, false);
      const parsed = schema.safeParse(await readJson(answer, MAX_BYTES));
      if (parsed.success) return parsed.data;
      throw notAnApi(service, baseOf[service], answer.status, answer.headers.get('content-type'), parsed.error);
    },
  };
}

const notAnApi = (service: ServiceName, base: string, status: number, type: string | null, cause?: unknown) =>
  new CommandRefused(
    `${base} answered ${status}${type === null ? '' : ` with ${type}`}, not as the ${LABEL[service]} does. Check the address: millwright login --help`,
    { code: 'not_the_api', detail: { service, status }, cause },
  );

/** Converts an error of the SDK to a CommandRefused whose message contains the user's next step. */
function refusalOf(service: ServiceName, error: unknown, at: { base: string; profile: string }): unknown {
  if (error instanceof UnexpectedAnswerError) return notAnApi(service, at.base, error.status, null, error);
  if (error instanceof ApiError) return apiRefusal(service, error, at.profile);
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  if (!(error instanceof ConnectionError) && !isLate) return error;
  const cause = isLate ? error : error.cause;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return new CommandRefused(
    `The ${LABEL[service]} at ${at.base} does not answer (${reason}). Check the network and the address (millwright status).`,
    { kind: 'unreachable', detail: { service }, cause: error },
  );
}

const Details = z.object({ error: z.object({ details: z.object({ field: z.string(), reason: z.string() }) }) });

function apiRefusal(service: ServiceName, error: ApiError, profile: string): CommandRefused {
  const { code, status, requestId, docUrl } = error;
  const detail = {
    ...{ status, service },
    ...(requestId !== undefined && { request_id: requestId }),
    ...(docUrl !== undefined && { doc_url: docUrl }),
  };
  if (status === 401)
    return new CommandRefused(
      `The ${LABEL[service]} refuses the credential of "${profile}": it was revoked, has expired, or belongs to another installation. Log in again: millwright login`,
      { kind: 'not_logged_in', code, detail },
    );
  const { details } = Details.safeParse(error.body).data?.error ?? {};
  const field = details && !error.message.includes(details.field) ? ` ${details.field}: ${details.reason}` : '';
  return new CommandRefused(`${error.message}${field}`, { code, detail });
}
