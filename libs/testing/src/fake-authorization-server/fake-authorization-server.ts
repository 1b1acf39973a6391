import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../listen.js';

type Form = Record<string, string>;

interface Grant {
  user: string;
  clientId: string;
  resource: string | undefined;
  challenge?: string | undefined;
  redirectUri?: string | undefined;
}

export interface FakeAuthorizationServer {
  /** Address of the issuer. */
  url: string;
  /** Fields that are added to the metadata or replace its fields; `undefined` removes a field. */
  metadata: Record<string, unknown>;
  /** Secrets of the server's clients by id; public clients have no secret. */
  clients: Map<string, string | undefined>;
  /** The user who signs in. May be replaced. */
  user: string;
  /** Parameters that are added to redirects to the client, or that replace parameters of the redirects; `undefined` removes a parameter. */
  returned: Record<string, string | undefined>;
  /** `expires_in` of its access tokens, in seconds; `undefined`: the field is left out. */
  lifetime: number | undefined;
  /** An answer that the token endpoint sends instead of its usual answer. */
  refusal: { status: number; body: object } | undefined;
  /** The token endpoint delays its answers until this promise resolves. */
  held: Promise<unknown>;
  /** Forms that were posted to the token endpoint. */
  tokenRequests: { form: Form; authorization: string | undefined }[];
  registrations: Record<string, unknown>[];
  /** Queries of the authorization requests. */
  authorizations: Form[];
  /** Tokens that were revoked. */
  revoked: string[];
  /** Returns the user of the access token in this header. Returns `undefined` when the token is not valid, or not valid for `resource`. */
  userOf: (authorization: string | undefined, resource?: string) => string | undefined;
  /** Ends all access tokens. Refresh tokens stay valid. */
  expireAccess: () => void;
  close: () => Promise<void>;
}

/**
 * Starts an authorization server on loopback, as MCP's chapters on authorization describe it: RFC 8414 metadata, codes with PKCE S256,
 * refresh tokens that can be used only once, client credentials, dynamic registration, revocation. It signs users in without a page.
 */
export async function createFakeAuthorizationServer(): Promise<FakeAuthorizationServer> {
  const codes = new Map<string, Grant>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown> = {
    '/.well-known/oauth-authorization-server': (_request, response) => json(response, 200, metadata()),
    '/authorize': (_request, response, { searchParams }) => authorize(response, Object.fromEntries(searchParams)),
    '/token': token,
    '/register': register,
    '/revoke': async (request, response) => {
      const { token: ended = '' } = formOf(await text(request));
      fake.revoked.push(ended);
      [access, refresh].forEach((tokens) => tokens.delete(ended));
      json(response, 200, {});
    },
  };
  const app = await listen((request, response) => {
    const url = new URL(request.url ?? '/', app.url);
    const route = routes[url.pathname];
    if (route) void Promise.resolve(route(request, response, url)).catch(() => response.destroy());
    else json(response, 404, {});
  });

  const metadata = () => ({
    issuer: app.url,
    authorization_endpoint: `${app.url}/authorize`,
    token_endpoint: `${app.url}/token`,
    registration_endpoint: `${app.url}/register`,
    revocation_endpoint: `${app.url}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...fake.metadata,
  });

  function authorize(response: ServerResponse, query: Form) {
    fake.authorizations.push(query);
    const code = randomUUID();
    codes.set(code, {
      user: fake.user,
      clientId: query['client_id'] ?? '',
      resource: query['resource'],
      challenge: query['code_challenge'],
      redirectUri: query['redirect_uri'],
    });
    const returned = { code, state: query['state'], iss: app.url, ...fake.returned };
    const sent = Object.entries(returned).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const location = `${query['redirect_uri'] ?? ''}?${new URLSearchParams(sent).toString()}`;
    response.writeHead(302, { location }).end();
  }

  async function register(request: IncomingMessage, response: ServerResponse) {
    const asked = JSON.parse(await text(request)) as Record<string, unknown>;
    fake.registrations.push(asked);
    const client_id = `registered-${fake.registrations.length}`;
    const client_secret = asked['token_endpoint_auth_method'] === 'none' ? undefined : randomUUID();
    fake.clients.set(client_id, client_secret);
    json(response, 201, { ...asked, client_id, client_secret, client_secret_expires_at: 0 });
  }

  async function token(request: IncomingMessage, response: ServerResponse) {
    const form = formOf(await text(request));
    fake.tokenRequests.push({ form, authorization: request.headers.authorization });
    await fake.held;
    if (fake.refusal) {
      json(response, fake.refusal.status, fake.refusal.body);
      return;
    }
    const clientId = clientOf(form, request.headers.authorization);
    if (clientId === undefined) {
      json(response, 401, { error: 'invalid_client' });
      return;
    }
    const grant = grantOf(form, clientId);
    if (!grant) {
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.set(access_token, grant);
    const isOwn = form['grant_type'] === 'client_credentials';
    if (!isOwn) refresh.set(refresh_token, grant);
    const tokens = { access_token, token_type: 'Bearer', expires_in: fake.lifetime, scope: form['scope'] };
    json(response, 200, isOwn ? tokens : { ...tokens, refresh_token });
  }

  function clientOf(form: Form, authorization: string | undefined): string | undefined {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
    const [id = '', secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':').map(formDecode)
      : [form['client_id'], form['client_secret']];
    return fake.clients.has(id) && fake.clients.get(id) === secret ? id : undefined;
  }

  function grantOf(form: Form, clientId: string): Grant | undefined {
    if (form['grant_type'] === 'client_credentials') return { user: clientId, clientId, resource: form['resource'] };
    const isCode = form['grant_type'] === 'authorization_code';
    const [kept, key] = isCode ? [codes, form['code'] ?? ''] : [refresh, form['refresh_token'] ?? ''];
    const grant = kept.get(key);
    // Codes and refresh tokens are accepted only once (RFC 6749 §4.1.2; RFC 9700 §4.14.2).
    kept.delete(key);
    if (grant?.clientId !== clientId || grant.resource !== form['resource']) return undefined;
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const isProven = grant.challenge === challenge && grant.redirectUri === form['redirect_uri'];
    return isCode && !isProven ? undefined : grant;
  }

  const fake: FakeAuthorizationServer = {
    url: app.url,
    metadata: {},
    clients: new Map(),
    user: 'ada',
    returned: {},
    lifetime: 3_600,
    refusal: undefined,
    held: Promise.resolve(),
    tokenRequests: [],
    registrations: [],
    authorizations: [],
    revoked: [],
    userOf(authorization, resource) {
      const grant = access.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
      return grant && (resource === undefined || grant.resource === resource) ? grant.user : undefined;
    },
    expireAccess: () => access.clear(),
    close: app.close,
  };
  return fake;
}

const formOf = (body: string): Form => Object.fromEntries(new URLSearchParams(body));

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Decodes a form value (RFC 6749 §2.3.1). */
const formDecode = (value: string) => decodeURIComponent(value.replaceAll('+', ' '));
