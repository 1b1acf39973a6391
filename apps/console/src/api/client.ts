import { isJsonObject } from '@millwright/json';

/** An error answer with the server's message. Status 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The request's id, by which operators find the request in the logs. */
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  fetch: typeof fetch;
  /** Opens the sign-in page, which returns to the current page. */
  signIn: () => void;
  /** Runs a passkey proof. Rejects when the user cancels it. */
  stepUp: () => Promise<void>;
}

export interface CallOptions {
  /** Body of the request. A string is sent unchanged, and the caller sets its content type in `headers`. Other values are sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Sends a request and resolves with a successful answer. @throws ApiError if the server answers with an error or cannot be reached */
export type Call = (method: Method, path: string, options?: CallOptions) => Promise<Response>;
export type Send = <Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal) => Promise<Answer>;

/** Returns a function that calls `/admin/api…`; the browser adds the session's cookie. */
export function createCall({ fetch, signIn, stepUp }: ClientOptions): Call {
  async function ask(method: Method, path: string, { body, headers, signal }: CallOptions): Promise<Response> {
    const content = typeof body === 'string' || body === undefined ? { body, headers } : asJson(body, headers);
    const { body: bytes, headers: sent } = content;
    try {
      return await fetch(`/admin/api${path}`, {
        method,
        ...(bytes !== undefined && { body: bytes }),
        ...(sent && { headers: sent }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ApiError(0, 'unreachable', 'The server could not be reached. Check your connection and try again.');
    }
  }

  return async (method, path, options = {}) => {
    let response = await ask(method, path, options);
    if (response.status === 403 && (await errorOf(response.clone())).code === 'step_up_required') {
      await stepUp();
      response = await ask(method, path, options);
    }
    if (response.status === 401) {
      signIn();
      // The promise never settles, because the browser is leaving this page and must not show an error meanwhile.
      return new Promise<never>(() => undefined);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

/** Returns a function that sends a request by `call`, and resolves with the JSON of the answer. */
export function createSend(call: Call): Send {
  return async <Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> =>
    answerOf<Answer>(await call(method, path, { body, signal }));
}

export async function answerOf<Answer>(response: Response): Promise<Answer> {
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as Answer;
}

const asJson = (body: unknown, headers: CallOptions['headers']) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
  if (typeof code === 'string' && typeof message === 'string') {
    return new ApiError(response.status, code, message, requestId);
  }
  return new ApiError(response.status, 'unknown', `The server answered ${response.status}. Try again.`, requestId);
}
