import type { Platform } from './platform.js';

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** Sends JSON when there is a body, and reads JSON when there is an answer. */
export async function send<Body = Record<string, unknown>>(
  url: string,
  { method, headers, body }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

/** Calls to the three APIs of a platform with the credential each of them takes. */
export function callers(platform: Platform) {
  let token: Promise<string> | undefined;
  const accessToken = () => (token ??= newToken(platform, platform.client));
  return {
    platform: <Body = Record<string, unknown>>(path: string, options: Parameters<typeof send>[1] = {}) =>
      send<Body>(`${platform.baseUrl}/api/v1${path}`, {
        ...options,
        headers: { Authorization: `Bearer ${platform.apiKey}`, ...options.headers },
      }),
    runtime: async <Body = Record<string, unknown>>(path: string, options: Parameters<typeof send>[1] = {}) =>
      send<Body>(`${platform.runtimeUrl}${path}`, {
        ...options,
        headers: { Authorization: `Bearer ${await accessToken()}`, ...options.headers },
      }),
    prompt: <Body = Record<string, unknown>>(path: string, options: Parameters<typeof send>[1] = {}) =>
      send<Body>(`${platform.promptUrl}/v1${path}`, {
        ...options,
        headers: { 'api-key': platform.apiKey, ...options.headers },
      }),
  };
}

/** An access token of a client for its owner. */
export async function newToken({ runtimeUrl }: Platform, client: Record<string, string>): Promise<string> {
  const response = await fetch(`${runtimeUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client['client_id'] ?? '',
      client_secret: client['client_secret'] ?? '',
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
