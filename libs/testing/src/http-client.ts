import supertest from 'supertest';

export interface ClientRequest {
  /** Body of the request, sent as JSON. */
  json?: unknown;
  /** Body of the request, sent unchanged. */
  body?: RequestInit['body'];
  headers?: Readonly<Record<string, string>>;
}

export interface ClientAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; `undefined` when the body is empty or not JSON. */
  body: unknown;
}

/** Returns the message in the body of an error answer. Throws a TypeError for an answer without an error. */
export const messageOf = ({ body }: ClientAnswer): string => (body as { error: { message: string } }).error.message;

/** Sends one request to one server. Every request has the same additional headers. */
export type HttpClient = (method: string, path: string, request?: ClientRequest) => Promise<ClientAnswer>;

/** A client that never throws for a status and follows no redirect. `baseUrl` has no slash at its end. */
export function createHttpClient(baseUrl: string, everyRequest: Readonly<Record<string, string>> = {}): HttpClient {
  return async (method, path, { json, body, headers } = {}) => {
    const content = json === undefined ? await encodeBody(body) : jsonContent(json);
    // Removes the dot segments of the path, as the URL standard requires and other clients do, because supertest would
    // send them.
    const { href } = new URL(`${baseUrl}${path}`);
    const answer = await new supertest.Test(baseUrl, method, href.slice(new URL(baseUrl).origin.length))
      .set('accept', '*/*')
      .set(Object.fromEntries(new Headers({ ...content.type, ...everyRequest, ...headers })))
      .serialize((bytes: string) => bytes)
      .responseType('blob')
      .send(content.bytes);
    const text = Buffer.isBuffer(answer.body) ? new TextDecoder().decode(answer.body) : '';
    return { status: answer.status, headers: headersOf(answer.headers), text, body: parsed(text) };
  };
}

interface Content {
  type: Record<string, string>;
  bytes?: Buffer;
}

const jsonContent = (json: unknown): Content => ({
  type: { 'content-type': 'application/json' },
  bytes: Buffer.from(JSON.stringify(json)),
});

/** The bytes and the default content type of a body, as `fetch` would send it. */
async function encodeBody(body: RequestInit['body']): Promise<Content> {
  if (body === undefined || body === null) return { type: {} };
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type');
  return { type: type === null ? {} : { 'content-type': type }, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

function headersOf(received: Readonly<Record<string, string | string[]>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of Array.isArray(values) ? values : [values]) headers.append(name, value);
  return headers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
