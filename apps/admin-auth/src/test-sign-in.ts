import { createHash, randomBytes } from 'node:crypto';
import { issueSetupToken } from '@millwright/accounts';

import type { TestConsole } from './test-console.js';
import {
  createHttpClient,
  createPasskey,
  type ClientAnswer,
  type HttpClient,
  type Lies,
  type TestPasskey,
} from '@millwright/testing';

/** Returns the client of the instance that receives the browser's next request. */
export type NextClient = () => HttpClient;

interface Started<Options> {
  ceremony: string;
  options: Options;
}
type Creation = Parameters<TestPasskey['create']>[0];

/** Creates a client that stores the cookies of answers like a browser, and sends them to all instances on one host. */
export function browser(...urls: string[]): { next: NextClient; cookies: Map<string, string> } {
  const cookies = new Map<string, string>();
  let turn = 0;
  const next = (): HttpClient => {
    const url = urls[turn++ % urls.length] ?? '';
    return async (method, path, request) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await createHttpClient(url, cookie === '' ? {} : { cookie })(method, path, request);
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    };
  };
  return { next, cookies };
}

/** Returns the body of an answer. Fails when the answer has another status than `wanted`. */
export function bodyOf({ status, body, text }: ClientAnswer, wanted = 200): unknown {
  if (status !== wanted) throw new Error(`answered ${status}, not ${wanted}: ${text}`);
  return body;
}

/** Creates an account and enrols its passkey with a setup token. */
export async function enrolledUser(site: TestConsole, email: string, options: { counting?: boolean } = {}) {
  const user = await site.addUser({ email });
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  const { token } = await site.db.transaction((tx) => issueSetupToken(tx, email, actor));
  const passkey = createPasskey(site.url, options);
  bodyOf(await enrol(browser(site.url).next, passkey, token), 201);
  return { user, passkey };
}

/** Enrols a passkey with a setup token or, without one, for the signed-in user. */
export async function enrol(next: NextClient, passkey: TestPasskey, setup_token?: string): Promise<ClientAnswer> {
  const json = setup_token === undefined ? {} : { setup_token };
  const started = await next()('POST', '/admin/api/passkey/register/start', { json });
  const { ceremony, options } = bodyOf(started) as Started<Creation>;
  const response = passkey.create(options);
  return next()('POST', '/admin/api/passkey/register/finish', { json: { ceremony, name: 'Test', response } });
}

/** Starts a PKCE flow like the login page. */
export function newFlow(baseUrl: string) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'marketplace-admin',
    redirect_uri: `${baseUrl}/admin/login`,
    scope: 'user',
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { verifier, query };
}

/** Starts a sign-in. The returned `finish` sends the answer of a passkey. */
export async function beginSignIn(next: NextClient, baseUrl: string, email?: string) {
  const { verifier, query } = newFlow(baseUrl);
  const json = { authorization: `?${query}`, ...(email !== undefined && { email }) };
  const started = await next()('POST', '/admin/api/passkey/login/start', { json });
  const { ceremony, options } = bodyOf(started) as Started<{ challenge: string }>;
  const answer = (passkey: TestPasskey, lies?: Lies) => ({ ceremony, response: passkey.get(options, lies) });
  const send = (json: object) => next()('POST', '/admin/api/passkey/login/finish', { json });
  return {
    verifier,
    query,
    ceremony,
    answer,
    send,
    finish: (passkey: TestPasskey, lies?: Lies) => send(answer(passkey, lies)),
  };
}

/** Builds the form that exchanges an authorization code. */
export function exchangeForm(baseUrl: string, redirectTo: string, code_verifier: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code: new URL(redirectTo).searchParams.get('code') ?? '',
    code_verifier,
    client_id: 'marketplace-admin',
    redirect_uri: `${baseUrl}/admin/login`,
  };
}

/** Signs in with a passkey. Afterwards, the browser has the cookies of the session. */
export async function signInWith(next: NextClient, baseUrl: string, passkey: TestPasskey): Promise<void> {
  const { verifier, finish } = await beginSignIn(next, baseUrl);
  const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
  bodyOf(await next()('POST', '/admin/oauth/token', { json: exchangeForm(baseUrl, redirect_to, verifier) }));
}
