import { codeChallenge, rolesOf, type NewToken } from '@millwright/auth';
import type { NewIdToken } from '@millwright/auth/id-tokens';
import type { VerifyProof } from '@millwright/auth/dpop';
import type { Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint, requestOrigin, type RequestOrigin } from '@millwright/http/protocol';
import type { Request, Router } from 'express';
import type { AuthorizationStore, DeviceRefusal } from './authorizations.store.js';
import { requireForm, type AuthenticateClient, type TokenForm } from './client-authentication.js';
import type { CountPolls, TokenLimits } from './client-limits.js';
import { DEVICE_CODE, type Client } from './clients.store.js';
import { mayUseDevices } from './device-authorization.endpoint.js';
import type { Grant, GrantStore } from './grants.store.js';
import { JWT_BEARER, type createJwtBearer } from './jwt-bearer.js';
import { readProvenKey } from './proofs.js';
import { narrowedResources, parseResources } from './resources.js';
import { clientScopes, grantScopes, narrowedScopes } from './scopes.js';
import { claimsOf } from './user-claims.js';
import { TOKEN_EXCHANGE, type createTokenExchange, type ExchangeResponse } from './token-exchange.js';

export interface TokenEndpointOptions {
  authenticate: AuthenticateClient;
  grants: GrantStore;
  authorizations: AuthorizationStore;
  sign: (token: NewToken) => string;
  signIdToken: (token: NewIdToken) => string;
  /** The issuer and audience: `RUNTIME_URL`. */
  runtimeUrl: string;
  /** Token exchange (RFC 8693). */
  exchange: ReturnType<typeof createTokenExchange>;
  /** The JWT bearer grant (RFC 7523 §2.1); undefined when no issuer's assertions are accepted. */
  jwtBearer: ReturnType<typeof createJwtBearer> | undefined;
  verifyProof: VerifyProof;
  /** Whether only tokens that are bound to a key are issued. */
  boundOnly: boolean;
  limits: TokenLimits;
  countPolls: CountPolls;
  gate: Gate;
}

/**
 * The token response (RFC 6749 §5.1). `scope` is always present, although the RFC requires it only when it differs from the request.
 * `refresh_token` is present for every client that may use a refresh token.
 */
interface TokenResponse {
  access_token: string;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
  refresh_token?: string;
  /** The user's sign-in, for the scope `openid` (OpenID Connect Core 1.0 §3.1.3.3 and §12.2). */
  id_token?: string;
  scope: string;
}

/** The lifetime of access tokens, in seconds. */
const EXPIRES_IN = 3_600;

/** `POST /oauth/token` (RFC 6749 §3.2). */
export function tokenEndpoint(options: TokenEndpointOptions): Router {
  return oauthFormEndpoint({
    paths: ['/oauth/token'],
    cors: true,
    gate: options.gate,
    limit: 'client',
    onRefusal: options.limits.countRefusal,
    answer: async (request, response) => {
      const form = requireForm(request);
      const client = await options.authenticate(request, form);
      await options.limits.countClient(client, request, response);
      const jkt = await readProvenKey(options.verifyProof, request);
      if (jkt === undefined && options.boundOnly)
        throw new OAuthError('invalid_dpop_proof', 'a proof of possession (DPoP) is required');
      return { body: await grant(options, client, request, { ...form, jkt }) };
    },
  });
}

type Step = (
  options: TokenEndpointOptions,
  client: Client,
  origin: RequestOrigin,
  form: TokenForm,
) => Promise<TokenResponse | ExchangeResponse>;

function grant(options: TokenEndpointOptions, client: Client, request: Request, form: TokenForm): Promise<object> {
  const type = form.values['grant_type'];
  if (type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
  const step = type === JWT_BEARER && !options.jwtBearer ? undefined : GRANTS.get(type);
  if (!step)
    throw new OAuthError(
      'unsupported_grant_type',
      `the grant types are ${[...GRANTS.keys()].filter((known) => known !== JWT_BEARER || options.jwtBearer).join(', ')}`,
    );
  if (!FOR_SETTINGS_CLIENTS.has(type) && !client.grant_types.includes(type))
    throw new OAuthError('unauthorized_client', 'the client is not registered for this grant type');
  return step(options, client, requestOrigin(request), form);
}

/** Client credentials grant (RFC 6749 §4.4). The client acts on its owner's account, so a self-registered client is refused. */
const clientCredentials: Step = async (options, client, origin, form) => {
  const { owner } = client;
  if (!owner || client.auth_method === 'none')
    throw new OAuthError('unauthorized_client', 'only confidential clients made in Settings may use this grant type');
  const scopes = narrowedScopes(form.values['scope'], clientScopes(client));
  const resources = parseResources(form.resources, options.runtimeUrl);
  const { project } = owner;
  const opened = await options.grants.openOrReuse(client, origin, {
    user: owner,
    project,
    kind: 'client_credentials',
    scopes,
    resources,
  });
  return mint(options, client, { ...opened, userId: owner.user_id, scopes, resources }, form);
};

/** Authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.5). */
const authorizationCode: Step = async (options, client, origin, form) => {
  const { values, resources, jkt } = form;
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = values;
  if (!code) throw new OAuthError('invalid_request', 'code is missing');
  if (verifier !== undefined && !/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthError('invalid_request', 'code_verifier is malformed');
  const asked = parseResources(resources, options.runtimeUrl);
  const redeemed = await options.authorizations.redeem(client, origin, {
    code,
    jkt,
    redirectUri,
    challenge: verifier === undefined ? undefined : codeChallenge(verifier),
    narrow: (granted) => narrowedResources(asked, granted),
  });
  if (!redeemed) throw new OAuthError('invalid_grant', 'the code is not valid');
  return mint(options, client, redeemed, form);
};

/** Refresh token grant (RFC 6749 §6). Scope and resource can only be narrowed. Each use replaces the refresh token by a new one. */
const refresh: Step = async (options, client, origin, form) => {
  const { values, resources, jkt } = form;
  const token = values['refresh_token'];
  if (!token) throw new OAuthError('invalid_request', 'refresh_token is missing');
  const asked = parseResources(resources, options.runtimeUrl);
  const rotated = await options.grants.rotate(client, origin, { refreshToken: token, jkt }, (granted) => ({
    scopes: narrowedScopes(values['scope'], grantScopes(granted.scopes, clientScopes(client), rolesOf(granted))),
    resources: narrowedResources(asked, granted.resources),
  }));
  if (!rotated) throw new OAuthError('invalid_grant', 'the refresh token is not valid');
  return mint(options, client, rotated, form);
};

/** Device code grant (RFC 8628 §3.4). */
const deviceCode: Step = async (options, client, origin, form) => {
  const { values, resources, jkt } = form;
  if (!mayUseDevices(client))
    throw new OAuthError('unauthorized_client', 'the client is not registered for this grant type');
  const code = values['device_code'];
  if (!code) throw new OAuthError('invalid_request', 'device_code is missing');
  if (!(await options.countPolls(code))) throw new OAuthError('slow_down', 'poll less often');
  const asked = parseResources(resources, options.runtimeUrl);
  const narrow = (granted: readonly string[]) => narrowedResources(asked, granted);
  const polled = await options.authorizations.pollDevice(client, origin, { deviceCode: code, jkt, narrow });
  if (typeof polled === 'string') throw new OAuthError(polled, DEVICE_REFUSALS[polled]);
  return mint(options, client, polled, form);
};

const DEVICE_REFUSALS: Record<DeviceRefusal, string> = {
  authorization_pending: 'the user has not decided yet',
  access_denied: 'the user denied the request',
  expired_token: 'the device code has expired',
  invalid_grant: 'the device code is not valid',
};

/** Token exchange (RFC 8693). The subject token determines which clients may use it. */
const tokenExchange: Step = (options, client, origin, form) => options.exchange(client, origin, form);

/** JWT bearer grant (RFC 7523 §2.1). It issues no refresh token, because the client can get a new assertion from its issuer. */
const jwtBearer: Step = async (options, client, origin, form) => {
  if (!options.jwtBearer) throw new OAuthError('unsupported_grant_type', 'no issuer is accepted');
  return mint(options, client, await options.jwtBearer(client, origin, form), form);
};

/**
 * Grant types that a client may use without a registration for them. The function of each of these grant types checks the client itself.
 */
const FOR_SETTINGS_CLIENTS: ReadonlySet<string> = new Set([TOKEN_EXCHANGE, JWT_BEARER, DEVICE_CODE]);

const GRANTS: ReadonlyMap<string, Step> = new Map([
  ['authorization_code', authorizationCode],
  ['client_credentials', clientCredentials],
  ['refresh_token', refresh],
  [DEVICE_CODE, deviceCode],
  [TOKEN_EXCHANGE, tokenExchange],
  [JWT_BEARER, jwtBearer],
]);

function mint(
  { sign, signIdToken, runtimeUrl }: TokenEndpointOptions,
  client: Client,
  { grantId, userId, scopes, resources, signIn, act, refreshToken }: Grant & { refreshToken?: string },
  { jkt }: Pick<TokenForm, 'jkt'>,
): TokenResponse {
  const scope = scopes.join(' ');
  const [only, ...others] = resources.length > 0 ? resources : [runtimeUrl];
  const access_token = sign({
    issuer: runtimeUrl,
    audience: only !== undefined && others.length === 0 ? only : [...resources],
    subject: userId,
    scope,
    sid: grantId,
    clientId: client.client_id,
    expiresIn: EXPIRES_IN,
    jkt,
    act,
  });
  const refresh_token = client.grant_types.includes('refresh_token') ? refreshToken : undefined;
  const token_type = jkt === undefined ? 'Bearer' : 'DPoP';
  const id_token =
    signIn && scopes.includes('openid')
      ? signIdToken({
          ...{ issuer: runtimeUrl, clientId: client.client_id, accessToken: access_token },
          ...{ claims: claimsOf(signIn.user, new Set(scopes)), authTime: signIn.authTime, nonce: signIn.nonce },
        })
      : undefined;
  return {
    ...{ access_token, token_type, expires_in: EXPIRES_IN },
    ...(refresh_token && { refresh_token }),
    ...(id_token && { id_token }),
    scope,
  };
}
