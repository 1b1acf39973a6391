import type { Actor } from '@millwright/audit';
import { codeChallenge, newOneTimeToken } from '@millwright/auth';
import { upstreamHash } from '@millwright/mcp';
import { askTokens, TokenEndpointError } from '@millwright/mcp/token-endpoint';
import { SecretUnreadable } from '@millwright/secrets';
import { decodeId } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { requestIdOf, type Logger } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { cookieOf, setBrowserCookie } from '../oauth/browser-cookie.js';
import type { AuthorizationStore } from '../oauth/authorizations.store.js';
import type { ClientStore, SelfDescription } from '../oauth/clients.store.js';
import * as pages from './connection-page.js';
import type { ConnectableServer, ConnectionStore } from './connections.store.js';
import { CannotConnect, type Discover } from './discovery.js';
import { TAG_LENGTH, type Pending, type RequestStore } from './requests.store.js';
import {
  callbackUrl,
  clientDocument,
  formerClientDocument,
  issuerTag,
  type UpstreamClients,
} from './upstream-clients.js';

export interface ConnectionEndpointOptions {
  gate: Gate;
  runtimeUrl: string;
  /** Base URL of admin-auth. */
  baseUrl: string;
  egress: Pick<Egress, 'fetch'>;
  /** Clients of this installation's authorization server, at which the user signs in. */
  clients: Pick<ClientStore, 'find' | 'keepDocument'>;
  authorizations: Pick<AuthorizationStore, 'begin' | 'identify'>;
  requests: RequestStore;
  connections: ConnectionStore;
  upstreamClients: UpstreamClients;
  discover: Discover;
  logger: Logger;
  /** Called when a user has connected an account. */
  onConnected: () => void;
}

const PATH = '/connections';

/**
 * The pages on which a user connects an account to an MCP server (2026-07-28 and 2025-11-25, "Authorization"): first sign-in at this
 * installation, then consent at the authorization server that the MCP server names. Every step must come from the browser that began.
 */
export function connectionEndpoint(options: ConnectionEndpointOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const step = (path: string, handler: RequestHandler) => {
    const guard: RequestHandler = async (request, response, next) => {
      response.locals.route = path;
      // The next page must not get codes and states in its Referer.
      response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Referrer-Policy': 'no-referrer' });
      await options.gate(request, response, 'public', 'public');
      next();
    };
    router.get(path, guard, handler, showPage(options));
    router.all(path, guard, () => {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    });
  };
  step(`${PATH}/client.json`, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').json(formerClientDocument(options.runtimeUrl));
  });
  step(`${PATH}/clients/:document`, (request, response) => {
    const tag = /^([0-9a-f]{32})\.json$/.exec(String(request.params['document']))?.[1];
    if (tag === undefined) throw new AppError('not_found');
    response.set('Cache-Control', 'public, max-age=300').json(clientDocument(options.runtimeUrl, tag));
  });
  step(`${PATH}/signed-in`, goOn(options));
  step(`${PATH}/callback/:issuer`, finish(options));
  step(`${PATH}/:server`, begin(options));
  return router;
}

const textOf = (value: unknown) => (typeof value === 'string' && value.length <= 8_192 ? value : undefined);

/**
 * Name of the cookie of one connection request. Each request has a separate cookie, so that requests in two tabs do not overwrite each other's
 * cookie.
 */
const cookieName = (name: string) => `mw_connect_${name.slice(0, TAG_LENGTH)}`;

/** These pages as a client of this installation's authorization server: the client's id and redirect URI. */
const ourselves = (runtimeUrl: string) => ({
  id: `${runtimeUrl}${PATH}`,
  redirectUri: `${runtimeUrl}${PATH}/signed-in`,
});
const A_DAY_MS = 86_400_000;

/** Step 1: sign-in. Before the user is signed in, no answer shows whether the server exists. */
function begin({ runtimeUrl, baseUrl, clients, authorizations, requests, connections }: ConnectionEndpointOptions) {
  const own = ourselves(runtimeUrl);
  const described: SelfDescription = {
    name: 'Connections to MCP servers',
    redirectUris: [own.redirectUri],
    scopes: ['mcp:call'],
    grantTypes: ['authorization_code'],
    authMethod: 'none',
  };
  return async (request: Request, response: Response) => {
    const uuid = decodeId('ms', String(request.params['server']));
    const server = uuid === undefined ? undefined : await connections.findServer(uuid);
    if (!server) throw new pages.EndsWithPage(pages.NO_SERVER);
    await clients.keepDocument(own.id, described, new Date(Date.now() + A_DAY_MS));
    const client = await clients.find(own.id);
    if (!client) throw new Error('our own client is gone though it was just kept');
    const { name, browser } = await requests.begin(server.id);
    const authorization = await authorizations.begin({
      client,
      redirectUri: own.redirectUri,
      state: name,
      scopes: ['mcp:call'],
      resources: [],
      codeChallenge: codeChallenge(browser),
      jkt: undefined,
      openId: undefined,
    });
    setBrowserCookie(response, runtimeUrl, authorization.request, authorization.browser);
    response.cookie(cookieName(name), browser, {
      path: PATH,
      httpOnly: true,
      sameSite: 'lax',
      secure: runtimeUrl.startsWith('https:'),
      maxAge: 900_000,
    });
    response.redirect(303, `${baseUrl}/admin/consent?request=${authorization.request}`);
  };
}

/** Step 2: redirect the signed-in user to the upstream's authorization server. */
function goOn(options: ConnectionEndpointOptions): RequestHandler {
  const { runtimeUrl, clients, authorizations, requests, connections } = options;
  return async (request, response) => {
    const [code, name] = [textOf(request.query['code']), textOf(request.query['state']) ?? ''];
    const browser = cookieOf(request, cookieName(name));
    if (browser === undefined) throw new pages.EndsWithPage(pages.NOT_BEGUN_HERE);
    if (code === undefined) throw new pages.EndsWithPage(pages.DENIED);
    const client = await clients.find(ourselves(runtimeUrl).id);
    const userId = client && (await authorizations.identify(client, code, codeChallenge(browser)));
    const serverId = userId && (await requests.signIn(name, browser, userId));
    if (userId === undefined || serverId === undefined) throw new pages.EndsWithPage(pages.NOT_BEGUN_HERE);
    const { server } = await requireReach(connections, serverId, userId);
    response.redirect(303, await authorizationUrl(options, name, server, userId));
  };
}

/**
 * Returns the server and the user. @throws EndsWithPage when the user may not connect to the server. Only admins may connect to servers of other
 * projects.
 */
async function requireReach(connections: ConnectionStore, serverId: string, userId: string) {
  const [server, user] = await Promise.all([connections.findServer(serverId), connections.findUser(userId)]);
  if (!server || !user || (server.project !== user.project && !user.isAdmin))
    throw new pages.EndsWithPage(pages.NO_SERVER);
  return { server, user };
}

/** Builds the address of the authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1). */
async function authorizationUrl(
  { runtimeUrl, discover, upstreamClients, requests, connections }: ConnectionEndpointOptions,
  name: string,
  server: ConnectableServer,
  userId: string,
): Promise<string> {
  const { as, resource, scope: usual } = await discover(server);
  const scope = union([usual ?? '', ...(await connections.findScopes(server.id, userId))]);
  const client = { ...(await upstreamClients.for(server, as)), token_endpoint: as.token_endpoint };
  const verifier = newOneTimeToken();
  const state = await requests.send(name, {
    issuer: as.issuer,
    namesItself: as.authorization_response_iss_parameter_supported,
    revocation_endpoint: as.revocation_endpoint,
    client,
    resource,
    scope,
    verifier,
    upstreamHash: upstreamHash(server).toString('hex'),
  });
  const url = new URL(as.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: callbackUrl(runtimeUrl, as.issuer),
    state,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    ...(scope !== undefined && { scope }),
  };
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url.href;
}

const union = (scopes: readonly string[]): string | undefined =>
  [...new Set(scopes.join(' ').split(' '))].filter((word) => word !== '').join(' ') || undefined;

/** Step 3: accept the authorization server's answer. It is accepted only once, in the browser that began, and from the expected issuer. */
function finish(options: ConnectionEndpointOptions): RequestHandler {
  const { requests, connections, onConnected } = options;
  return async (request, response) => {
    const state = textOf(request.query['state']) ?? '';
    const browser = cookieOf(request, cookieName(state));
    const taken = browser === undefined ? undefined : await requests.take(state, browser);
    if (!taken) throw new pages.EndsWithPage(pages.NOT_BEGUN_HERE);
    response.clearCookie(cookieName(state), { path: PATH });
    const { server, user } = await requireReach(connections, taken.serverId, taken.userId);
    const actor: Actor = { userId: user.id, kind: 'user', label: user.name, ...requestOrigin(request) };
    const refuse = async (page: pages.ConnectionPage, reason: string) => {
      await connections.recordDenial(actor, server, reason);
      throw new pages.EndsWithPage(page);
    };
    if (request.params['issuer'] !== issuerTag(taken.pending.issuer))
      return refuse(pages.NOT_BELIEVED, 'the answer came to the address for another issuer');
    if (!isFromIssuer(taken.pending, request.query['iss']))
      return refuse(pages.NOT_BELIEVED, 'the answer names another issuer, or none');
    const code = textOf(request.query['code']);
    if (code === undefined) return refuse(pages.DENIED, 'refused at the authorization server');
    const tokens = await redeem(options, server, taken.pending, code);
    if (!(await connections.keep(server, actor, taken.pending, tokens)))
      throw new pages.EndsWithPage(pages.NOT_BEGUN_HERE);
    onConnected();
    pages.sendConnectionPage(response, pages.connected(server.name));
  };
}

/** Whether the answer is from the expected issuer. An answer of another authorization server is refused (RFC 9207 §2.4). */
const isFromIssuer = ({ issuer, namesItself }: Pending, sent: unknown) =>
  sent === undefined ? !namesItself : sent === issuer;

/** Redeems the code for tokens (RFC 6749 §4.1.3). */
async function redeem(
  { egress, runtimeUrl, upstreamClients }: ConnectionEndpointOptions,
  server: ConnectableServer,
  { client, verifier, resource, issuer }: Pending,
  code: string,
) {
  const redirect_uri = callbackUrl(runtimeUrl, issuer);
  const parameters = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, resource };
  try {
    return await askTokens(egress.fetch, client, parameters);
  } catch (error) {
    if (error instanceof TokenEndpointError && error.code === 'invalid_client')
      await upstreamClients.forget(server.id, issuer, client.client_id);
    throw new CannotConnect('The authorization server of the MCP server gave no token.', { cause: error });
  }
}

/** Shows a page for a failure of an upstream. The text of the failure is logged, but not shown. */
const showPage =
  ({ logger }: ConnectionEndpointOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (error instanceof pages.EndsWithPage) {
      pages.sendConnectionPage(response, error.page);
      return;
    }
    const isTheirs =
      error instanceof CannotConnect || error instanceof EgressError || error instanceof TokenEndpointError;
    if (!isTheirs && !(error instanceof SecretUnreadable)) {
      next(error);
      return;
    }
    logger.info({ err: error, request_id: requestIdOf(request) }, 'a connection to an MCP server failed');
    const reason =
      error instanceof CannotConnect ? error.message : 'The MCP server or its authorization server cannot be reached.';
    pages.sendConnectionPage(response, pages.cannotConnect(reason));
  };
