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

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface ClientOptions {
  fetch: typeof fetch;
  /** Leaves for the sign-in page, which leads back here. */
  signIn: () => void;
  /** Proves anew who is here. Rejects when that was not done. */
  stepUp: () => Promise<void>;
}

export type Send = <Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal) => Promise<Answer>;

/** Calls `/admin/api…` in the name of the session. */
export function createClient({ fetch, signIn, stepUp }: ClientOptions): Send {
  async function ask(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const content = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: toJson(body) };
    try {
      return await fetch(`/admin/api${path}`, { method, ...content, ...(signal && { signal }) });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ApiError(0, 'unreachable', 'The server could not be reached. Check your connection and try again.');
    }
  }

  return async <Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> => {
    let response = await ask(method, path, body, signal);
    if (response.status === 403 && (await errorOf(response.clone())).code === 'step_up_required') {
      await stepUp();
      response = await ask(method, path, body, signal);
    }
    if (response.status === 401) {
      signIn();
      // The page is about to be replaced: nobody should see an error before that.
      return new Promise<never>(() => undefined);
    }
    if (!response.ok) throw await errorOf(response);
    return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as Answer;
  };
}

const toJson = (body: unknown) => JSON.stringify(body);

async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (typeof code === 'string' && typeof message === 'string') {
    return new ApiError(response.status, code, message, requestId);
  }
  return new ApiError(response.status, 'unknown', `The server answered ${response.status}. Try again.`, requestId);
}
