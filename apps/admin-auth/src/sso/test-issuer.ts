import { generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createHttpClient, listen, type ClientAnswer } from '@millwright/testing';
import { Provider } from 'oidc-provider';
import type { SsoIssuer } from './sso-file.js';

type Json = Record<string, unknown>;

/** A real issuer (oidc-provider) on loopback. The account set by `login` signs in without a password. */
export interface TestIssuer {
  url: string;
  /** Returns the issuer's entry in `SSO_FILE`. `changes` replaces fields of the entry. */
  entry: (changes?: Partial<SsoIssuer>) => SsoIssuer;
  /** Registers the console as client, once the console's address is known. */
  start: (siteUrl: string) => void;
  /** Sets the account that signs in next, and its claims. */
  login: (subject: string, claims: Json) => void;
  /** Sets a function that alters the issued ID tokens. */
  tamper: (change: ((token: string) => string) | undefined) => void;
  /** Signs a token with the issuer's key and header; `key` and `header` override them. */
  sign: (claims: Json, header?: Json, key?: KeyObject) => string;
  /** Sets a false issuer identifier in the metadata; `undefined` restores the true one. */
  pose: (issuer: string | undefined) => void;
  /** Sets whether the endpoints answer 500. */
  fail: (isFailing: boolean) => void;
  close: () => Promise<void>;
}

const CLIENT = { id: 'millwright', secret: 'a-secret-of-the-test-client-of-32-bytes' };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Decodes a token's header and claims. */
export const decode = (token: string): Json[] =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json);

export async function startIssuer(name: string): Promise<TestIssuer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = `${name}-key`;
  let serve: RequestListener = (_request, response) => response.writeHead(503).end();
  let isFailing = false;
  const server = await listen((request, response) => {
    if (isFailing) response.writeHead(500).end();
    else serve(request, response);
  });
  const { url } = server;
  const accounts = new Map<string, Json>();
  let current = '';
  let tamper: ((token: string) => string) | undefined;
  let posed: string | undefined;

  function start(siteUrl: string): void {
    const provider = new Provider(url, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${siteUrl}/admin/sso/${name}/callback`],
          backchannel_logout_uri: `${siteUrl}/admin/sso/${name}/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['a-key-of-the-test-issuer'] },
      claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: unknown }, form: string) => {
            context.body = form;
          },
        },
      },
      // Replaces the default fetch, which refuses loopback addresses.
      fetch: (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
      ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600 },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
      }),
      async loadExistingGrant({ oidc }: { oidc: { client?: { clientId: string }; session?: { accountId?: string } } }) {
        const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next();
      context.respond = false;
      await provider.interactionFinished(context.req, context.res, { login: { accountId: current } });
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string; issuer?: string } | undefined;
      if (posed && context.path === '/.well-known/openid-configuration' && body) body.issuer = posed;
      if (tamper && context.path === '/token' && body?.id_token) body.id_token = tamper(body.id_token);
    });
    serve = provider.callback();
  }

  return {
    url,
    entry: (changes = {}) => ({
      ...{ name, label: `The ${name} identity provider`, url, clientId: CLIENT.id, clientSecret: CLIENT.secret },
      ...{ scopes: ['openid', 'email', 'profile', 'groups'], domains: ['example.com'], groups: undefined },
      ...{ linkByVerifiedEmail: true, createAccounts: true, ssoOnly: false, breakGlass: [], scim: undefined },
      ...changes,
    }),
    start,
    login(subject, claims) {
      accounts.set(subject, claims);
      current = subject;
    },
    tamper: (change) => (tamper = change),
    sign(claims, header = {}, key = privateKey) {
      const text = `${encode({ alg: 'RS256', kid, ...header })}.${encode(claims)}`;
      return `${text}.${signBytes('sha256', Buffer.from(text), key).toString('base64url')}`;
    },
    pose: (issuer) => {
      posed = issuer;
    },
    fail: (failing) => (isFailing = failing),
    close: () => server.close(),
  };
}

export interface Visit {
  /** Address of the last page, after redirects. */
  url: string;
  answer: ClientAnswer;
}

/** Creates a browser that follows redirects between sites and sends each site its cookies. */
export function createSurfer() {
  const jars = new Map<string, Map<string, string>>();

  async function send(url: URL, method: string, form?: Record<string, string>): Promise<ClientAnswer> {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const client = createHttpClient(url.origin, { accept: 'text/html', ...(cookie !== '' && { cookie }) });
    const answer = await client(
      method,
      `${url.pathname}${url.search}`,
      form ? { body: new URLSearchParams(form) } : {},
    );
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** Follows redirects until an address contains `until` or a response is not a redirect. */
  async function visit(start: string, until?: string, form?: Record<string, string>): Promise<Visit> {
    let url = new URL(start);
    let answer = await send(url, form ? 'POST' : 'GET', form);
    for (let hops = 0; hops < 15; hops += 1) {
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || location === null) return { url: url.href, answer };
      url = new URL(location, url);
      if (until !== undefined && url.href.includes(until)) return { url: url.href, answer };
      answer = await send(url, 'GET');
    }
    throw new Error(`too many redirects, the last one to ${url.href}`);
  }

  return { visit, forget: (site: string) => jars.delete(new URL(site).origin) };
}
export type Surfer = ReturnType<typeof createSurfer>;
