import { createHash, randomBytes } from 'node:crypto';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { BASE_URL, type TestClient, type TestRuntime } from '../test-runtime.js';

export type Parameters = Record<string, string | undefined>;

/** An application. A public client has no secret. */
export type Application = Pick<TestClient, 'client_id'> & Partial<TestClient>;

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** Values that the console stores with a consent, in addition to the granted scopes. */
interface Decision {
  auth_time?: Date;
  refusal?: string;
}

interface Begun {
  request: string;
  cookie: string;
  scopes: string[];
}

export const REDIRECT = 'https://app.example/cb';

const verifier = randomBytes(32).toString('base64url');
const code_challenge = createHash('sha256').update(verifier).digest('base64url');
const bytes = (text: string) => new Uint8Array(hashSecret(text));
const queryOf = (parameters: Parameters) =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** An application's authorization requests, and the steps of its user's browser. */
export function authorizationsOf(runtime: TestRuntime, { client_id, client_secret }: Application) {
  const authorize = (more: Parameters = {}, cookie = '') => {
    const pkce = { code_challenge, code_challenge_method: 'S256' };
    const query = queryOf({ client_id, redirect_uri: REDIRECT, response_type: 'code', state: 'x', ...pkce, ...more });
    return fetch(`${runtime.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual', headers: { cookie } });
  };

  async function begin(more: Parameters = {}): Promise<Begun> {
    const response = await authorize(more);
    const location = new URL(response.headers.get('location') ?? 'about:blank');
    const page = more['prompt'] === 'none' ? '/admin/consent/silent' : '/admin/consent';
    expect([response.status, `${location.origin}${location.pathname}`]).toEqual([303, `${BASE_URL}${page}`]);
    const request = location.searchParams.get('request') ?? '';
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const { scopes } = await runtime.db.prisma.oAuthAuthorization.findUniqueOrThrow({
      where: { request_hash: bytes(request) },
    });
    return { request, cookie, scopes };
  }

  /** Decides as admin-auth's consent page does. @returns the answer to the browser when it returns */
  async function returned(
    { request, cookie }: Begun,
    user_id: string | null,
    granted: string[],
    more: Decision = {},
  ): Promise<Response> {
    const ticket = newOneTimeToken();
    await runtime.db.prisma.oAuthAuthorization.update({
      where: { request_hash: bytes(request) },
      data: { user_id, granted, ticket_hash: bytes(ticket), decided_at: new Date(), ...more },
    });
    return fetch(`${runtime.url}/oauth/authorize/return?${queryOf({ request, ticket }).toString()}`, {
      redirect: 'manual',
      headers: { cookie },
    });
  }

  const askToken = (form: Record<string, string>) =>
    runtime.askToken({ ...form, client_id, ...(client_secret !== undefined && { client_secret }) });

  return {
    authorize,
    /** PKCE verifier that every request uses. */
    verifier,
    begin,
    returned,
    decide: async (begun: Begun, userId: string | null, granted: string[], more?: Decision) =>
      new URL((await returned(begun, userId, granted, more)).headers.get('location') ?? 'about:blank'),
    askToken,
    redeem: (back: URL, redirect_uri = REDIRECT) => {
      const code = back.searchParams.get('code') ?? '';
      return askToken({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier });
    },
    refresh: (refresh_token: string) => askToken({ grant_type: 'refresh_token', refresh_token }),
    introspect: async (token: string) =>
      (
        await runtime.as()('POST', '/oauth/introspect', {
          body: queryOf({ token, client_id, client_secret }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).body,
  };
}
