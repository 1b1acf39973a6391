import { clientSecretMatches, effectiveScopes, type NewToken } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import type { ClientRow, GrantStore, Origin } from './grants.store.js';
import { OAuthError } from './oauth-error.js';

export interface TokenEndpointOptions {
  grants: GrantStore;
  sign: (token: NewToken) => string;
  /** The issuer and audience: `RUNTIME_URL`. */
  runtimeUrl: string;
  gate: Gate;
}

/** Spec, "OAuth token response"; `scope` always (RFC 6749 §5.1 demands it when it differs). */
interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Access tokens live this long (spec, "Limits"). */
const EXPIRES_IN = 3_600;

type Form = Readonly<Record<string, string>>;

/** `POST /oauth/token` (RFC 6749 §3.2): client credentials and refresh tokens. */
export function tokenEndpoint(options: TokenEndpointOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const readForm = express.urlencoded({ extended: false, limit: 65_536 });
  const count: RequestHandler = async (request, response, next) => {
    response.locals['route'] = '/oauth/token';
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Access-Control-Allow-Origin': '*' });
    await options.gate(request, response, 'public', false);
    next();
  };
  const answer: RequestHandler = async (request, response) => {
    const form = requireForm(request);
    const origin = { requestId: requestIdOf(request), ip: request.ip ?? '' };
    const client = await authenticateClient(options.grants, request, origin, form);
    response.json(await grant(options, client, origin, form));
  };
  router.post('/oauth/token', count, readForm, answer, refuse);
  router.all('/oauth/token', count, () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
  });
  return router;
}

/** Form encoding, each parameter once (RFC 6749 §3.2). */
function requireForm(request: Request): Form {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
  }
  const form = request.body as Record<string, unknown>;
  if (Object.values(form).some((value) => typeof value !== 'string')) {
    throw new OAuthError('invalid_request', 'a parameter is repeated');
  }
  return form as Form;
}

/** One way of client authentication only: HTTP Basic or the body (RFC 6749 §2.3.1). */
async function authenticateClient(
  grants: GrantStore,
  request: Request,
  origin: Origin,
  form: Form,
): Promise<ClientRow> {
  const basic = basicCredentials(request.headers.authorization);
  if (basic && form['client_secret'] !== undefined) {
    throw new OAuthError('invalid_request', 'more than one way of client authentication was used');
  }
  if (basic && form['client_id'] !== undefined && form['client_id'] !== basic.id) {
    throw new OAuthError('invalid_request', 'the body names another client than the Authorization header');
  }
  const id = basic?.id ?? form['client_id'];
  const secret = basic?.secret ?? form['client_secret'];
  const refused = new OAuthError('invalid_client', 'the client is unknown or its secret is wrong', basic !== undefined);
  if (!id || secret === undefined || !CLIENT_ID.test(id)) throw refused;
  const client = await grants.findClient(id);
  if (!client || !clientSecretMatches(secret, client)) throw refused;
  const reason = client.revoked
    ? 'the client is revoked'
    : client.user_status !== 'active'
      ? 'the account is inactive'
      : undefined;
  if (reason === undefined) {
    grants.noteUse(client);
    return client;
  }
  await grants.recordRefusal(client, origin, reason);
  throw refused;
}

/** RFC 6749 appendix A.1. What cannot be a client id costs no query. */
const CLIENT_ID = /^[\x20-\x7e]{1,200}$/;

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basicCredentials(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: formDecode(id), secret: formDecode(rest.join(':')) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // not form-encoded: taken as it stands, and then simply wrong
  }
}

async function grant(
  options: TokenEndpointOptions,
  client: ClientRow,
  origin: Origin,
  form: Form,
): Promise<TokenResponse> {
  switch (form['grant_type']) {
    case 'client_credentials':
      return clientCredentials(options, client, origin, form);
    case 'refresh_token':
      return refresh(options, client, origin, form);
    case undefined:
      throw new OAuthError('invalid_request', 'grant_type is missing');
    default:
      throw new OAuthError('unsupported_grant_type', 'the grant types are client_credentials and refresh_token');
  }
}

/** RFC 6749 §4.4. The client acts on its owner's account. */
async function clientCredentials(
  options: TokenEndpointOptions,
  client: ClientRow,
  origin: Origin,
  form: Form,
): Promise<TokenResponse> {
  const scopes = narrowed(form['scope'], effectiveScopes(client.scopes, client.user_role === 'admin'));
  const { grantId, refreshToken } = await options.grants.openGrant(client, origin, scopes);
  return mint(options, client, { grantId, userId: client.user_id, scopes, refreshToken });
}

/** RFC 6749 §6. Scope may only narrow; the refresh token rotates. */
async function refresh(
  options: TokenEndpointOptions,
  client: ClientRow,
  origin: Origin,
  form: Form,
): Promise<TokenResponse> {
  const token = form['refresh_token'];
  if (!token) throw new OAuthError('invalid_request', 'refresh_token is missing');
  const narrow = (granted: readonly string[]) =>
    narrowed(form['scope'], effectiveScopes(granted, client.user_role === 'admin'));
  const rotated = await options.grants.rotate(client, origin, token, narrow);
  if (!rotated) throw new OAuthError('invalid_grant', 'the refresh token is not valid');
  return mint(options, client, rotated);
}

/** The scopes asked for, all of those allowed when none are (RFC 6749 §3.3). */
function narrowed(asked: string | undefined, allowed: ReadonlySet<string>): string[] {
  const wanted = [...new Set(asked?.split(' ').filter((scope) => scope !== '' && scope !== 'offline_access') ?? [])];
  if (wanted.some((scope) => !allowed.has(scope))) {
    throw new OAuthError('invalid_scope', 'a scope is unknown or not granted to this client');
  }
  return wanted.length > 0 ? wanted : [...allowed];
}

interface Minted {
  grantId: string;
  userId: string;
  scopes: readonly string[];
  refreshToken: string;
}

function mint({ sign, runtimeUrl }: TokenEndpointOptions, client: ClientRow, minted: Minted): TokenResponse {
  const scope = minted.scopes.join(' ');
  const access_token = sign({
    issuer: runtimeUrl,
    audience: runtimeUrl,
    subject: minted.userId,
    scope,
    sid: minted.grantId,
    clientId: client.client_id,
    expiresIn: EXPIRES_IN,
  });
  return { access_token, token_type: 'Bearer', expires_in: EXPIRES_IN, refresh_token: minted.refreshToken, scope };
}

/** The protocol's own error body (RFC 6749 §5.2); what is not a refusal goes to the area's renderer. */
const refuse: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = error instanceof OAuthError ? error : unreadable(error);
  if (!refusal) {
    next(error);
    return;
  }
  if (refusal.usedBasic) response.set('WWW-Authenticate', 'Basic realm="millwright", charset="UTF-8"');
  response.status(refusal.status).json({ error: refusal.code, error_description: refusal.description });
};

/** body-parser's own failures carry a 4xx status. */
function unreadable(error: unknown): OAuthError | undefined {
  const { status, type } = error as { status?: unknown; type?: unknown };
  const fromParser = typeof type === 'string' && typeof status === 'number' && status < 500;
  return fromParser ? new OAuthError('invalid_request', 'the body cannot be read') : undefined;
}
