export interface ClientRequest {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it stands. */
  body?: RequestInit['body'];
  headers?: Readonly<Record<string, string>>;
}

export interface ClientAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; `undefined` for one that is empty or not JSON. */
  body: unknown;
}

/** What an error's envelope says; fails on an answer that is no error. */
export const messageOf = ({ body }: ClientAnswer): string => (body as { error: { message: string } }).error.message;

/** Sends one request to one server, with the same headers each time. */
export type HttpClient = (method: string, path: string, request?: ClientRequest) => Promise<ClientAnswer>;

/** A client that never throws for a status. `baseUrl` has no slash at its end. */
export function createHttpClient(baseUrl: string, everyRequest: Readonly<Record<string, string>> = {}): HttpClient {
  return async (method, path, { json, body, headers } = {}) => {
    const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...everyRequest, ...type, ...headers },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
