import { noteFailedAnswer } from './failed-answers.js';
import type { Platform } from './platform.js';
import { noteSecretsOf, noteSecretsOfHeaders } from './secrets.js';

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  /** Body of the request, sent as JSON unless it is a form. */
  body?: unknown;
}

/** Sends a body as JSON or a form, and parses answers in JSON. Follows no redirect. */
export async function send<Body = Record<string, unknown>>(
  url: string,
  { method, headers, body }: Call = {},
): Promise<Answer<Body>> {
  const isForm = body instanceof URLSearchParams;
  const request = new Request(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const response = await fetch(request);
  const text = await response.text();
  if (response.status >= 500) noteFailedAnswer(response.status, request.method, url, response.headers);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const answer = (isJson && text !== '' ? JSON.parse(text) : undefined) as Body;
  noteSecretsOf([isForm ? Object.fromEntries(body) : body, answer, { location: url }]);
  noteSecretsOfHeaders(request.headers);
  noteSecretsOfHeaders(response.headers);
  return { status: response.status, headers: response.headers, text, body: answer };
}

/** Addresses and credentials of an installation. */
export type Reachable = Pick<Platform, 'baseUrl' | 'runtimeUrl' | 'promptUrl' | 'apiKey' | 'client'>;

/** Calls the three APIs of an installation, each with its kind of credential. */
export function callers(platform: Reachable) {
  let token: Promise<string> | undefined;
  const accessToken = () => (token ??= newToken(platform, platform.client));
  return {
    platform: <Body = Record<string, unknown>>(path: string, options: Call = {}) =>
      send<Body>(`${platform.baseUrl}/api/v1${path}`, {
        ...options,
        headers: { Authorization: `Bearer ${platform.apiKey}`, ...options.headers },
      }),
    runtime: async <Body = Record<string, unknown>>(path: string, options: Call = {}) =>
      send<Body>(`${platform.runtimeUrl}${path}`, {
        ...options,
        headers: { Authorization: `Bearer ${await accessToken()}`, ...options.headers },
      }),
    prompt: <Body = Record<string, unknown>>(path: string, options: Call = {}) =>
      send<Body>(`${platform.promptUrl}/v1${path}`, {
        ...options,
        headers: { 'api-key': platform.apiKey, ...options.headers },
      }),
  };
}

/** Returns an access token that a client got for its owner. */
export async function newToken(
  { runtimeUrl }: Pick<Platform, 'runtimeUrl'>,
  client: Record<string, string>,
): Promise<string> {
  const { client_id = '', client_secret = '' } = client;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return (await send<{ access_token: string }>(`${runtimeUrl}/oauth/token`, { body })).body.access_token;
}
