/** An answer that refuses, in the server's own words. Status 0: there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** What to name when asking an operator. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  fetch: typeof fetch;
  /** Leaves for the sign-in page, which leads back here. */
  signIn: () => void;
  /** Proves anew who is here. Rejects when that was not done. */
  stepUp: () => Promise<void>;
}

export interface CallOptions {
  /** Sent as JSON; a text as it is, with the type that `headers` name. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** The answer as it came, when it is no refusal. */
export type Call = (method: Method, path: string, options?: CallOptions) => Promise<Response>;
export type Send = <Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal) => Promise<Answer>;

/** Calls `/admin/api…` in the name of the session. */
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
      // The page is about to be replaced: nobody should see an error before that.
      return new Promise<never>(() => undefined);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

/** The same for those who want what the answer says. */
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
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (typeof code === 'string' && typeof message === 'string') {
    return new ApiError(response.status, code, message, requestId);
  }
  return new ApiError(response.status, 'unknown', `The server answered ${response.status}. Try again.`, requestId);
}
