import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createPasskey, type CreationOptions, type RequestOptions, type TestPasskey } from '@millwright/testing';
import { send, type Answer, type Call } from './calls.js';
import { noteSecretsOf } from './secrets.js';

type Body = Record<string, unknown>;

/** A browser at the console. It keeps cookies and sends its requests to the processes round-robin. */
export interface Browser {
  readonly cookies: Map<string, string>;
  ask: <Result = Body>(path: string, call?: Call) => Promise<Answer<Result>>;
  /** Sends a request and returns the body of the answer. @throws Error when the answer has another status than `status` */
  get: <Result = Body>(path: string, call?: Call, status?: number) => Promise<Result>;
  /** Returns the headers of this browser's next request: the cookies, and the address of this browser. */
  headers: () => Record<string, string>;
}

/**
 * Makes a browser. `urls` are the addresses of the processes that receive the requests in turn; `baseUrl` is the origin in the headers of the
 * requests.
 */
export function createBrowser(urls: readonly string[], baseUrl: string): Browser {
  const cookies = new Map<string, string>();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  let turn = 0;
  const headers = () => ({
    origin: baseUrl,
    'x-forwarded-for': address,
    ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
  });

  async function ask<Result>(path: string, { headers: more, ...call }: Call = {}): Promise<Answer<Result>> {
    const url = urls[turn++ % urls.length] ?? '';
    const answer = await send<Result>(`${url}${path}`, { ...call, headers: { ...headers(), ...more } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    ask,
    headers,
    async get<Result>(path: string, call?: Call, status = 200) {
      const answer = await ask<Result>(path, call);
      if (answer.status !== status) {
        throw new Error(`${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`);
      }
      return answer.body;
    },
  };
}

interface Ceremony<Options> {
  ceremony: string;
  options: Options;
}

/** The request that finishes a started step: an enrolment, a sign-in or a passkey proof. */
export interface Prepared {
  path: string;
  body: object;
}

/** Makes functions for the steps of a user in a browser at the console. */
export function personAt(browser: Browser, baseUrl: string) {
  const person = {
    browser,
    passkey: createPasskey(baseUrl),

    /** @returns the setup token. */
    async register(email: string, role: 'user' | 'admin' = 'user'): Promise<string> {
      const body = { name: email.split('@')[0], email, role };
      return (await browser.get<{ setup_token: string }>('/admin/api/register', { body }, 201)).setup_token;
    },

    /** Starts to enrol a passkey, with a setup token or for the signed-in user. @returns the request that finishes the enrolment */
    async beginEnrolment(setup_token?: string, chosen?: TestPasskey): Promise<Prepared> {
      const passkey = chosen ?? person.passkey;
      const body = setup_token === undefined ? {} : { setup_token };
      const path = '/admin/api/passkey/register';
      const { ceremony, options } = await browser.get<Ceremony<CreationOptions>>(`${path}/start`, { body });
      return { path: `${path}/finish`, body: { ceremony, name: 'Test', response: passkey.create(options) } };
    },

    async enrol(setup_token?: string): Promise<void> {
      const { path, body } = await person.beginEnrolment(setup_token);
      await browser.get(path, { body }, 201);
    },

    /** Starts a sign-in. @returns the request that proves the passkey, and the verifier of the flow */
    async beginSignIn(chosen?: TestPasskey): Promise<Prepared & { verifier: string; query: URLSearchParams }> {
      const passkey = chosen ?? person.passkey;
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
      const begun = { body: { authorization: `?${query.toString()}` } };
      const path = '/admin/api/passkey/login';
      const { ceremony, options } = await browser.get<Ceremony<RequestOptions>>(`${path}/start`, begun);
      return { path: `${path}/finish`, body: { ceremony, response: passkey.get(options) }, verifier, query };
    },

    /** Returns the request that exchanges the code of a finished sign-in for tokens. */
    exchange(redirectTo: string, code_verifier: string): Prepared {
      const body = {
        grant_type: 'authorization_code',
        code: new URL(redirectTo).searchParams.get('code') ?? '',
        code_verifier,
        client_id: 'marketplace-admin',
        redirect_uri: `${baseUrl}/admin/login`,
      };
      noteSecretsOf(body);
      return { path: '/admin/oauth/token', body };
    },

    async signIn(): Promise<void> {
      const { path, body, verifier } = await person.beginSignIn();
      const { redirect_to } = await browser.get<{ redirect_to: string }>(path, { body });
      const exchange = person.exchange(redirect_to, verifier);
      await browser.get(exchange.path, { body: exchange.body });
    },

    /** Prepares the request that proves the passkey again. */
    async beginStepUp(): Promise<Prepared> {
      const options = await browser.get<RequestOptions>('/admin/api/step-up/start', { method: 'POST' });
      return { path: '/admin/api/step-up/finish', body: { response: person.passkey.get(options) } };
    },

    async stepUp(): Promise<void> {
      const { path, body } = await person.beginStepUp();
      await browser.get(path, { body });
    },

    /** Runs all steps: registers, enrols a passkey, signs in and proves the passkey again. */
    async arrive(email: string, role?: 'user' | 'admin'): Promise<void> {
      await person.enrol(await person.register(email, role));
      await person.signIn();
      await person.stepUp();
    },
  };
  return person;
}
export type Person = ReturnType<typeof personAt>;
