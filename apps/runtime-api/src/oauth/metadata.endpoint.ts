import { SCOPES } from '@millwright/auth';
import { IDENTITY_SCOPES } from '@millwright/auth/identity-scopes';
import { DPOP_ALGORITHMS } from '@millwright/auth/dpop';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { Router, type RequestHandler } from 'express';
import { CLIENT_ALGORITHMS } from './client-keys.js';
import { DEVICE_CODE } from './clients.store.js';
import { JWT_BEARER } from './jwt-bearer.js';
import { PROMPT_VALUES } from './openid-request.js';
import { MCP_SCOPES } from './scopes.js';
import { TOKEN_EXCHANGE } from './token-exchange.js';
import { CLAIMS } from './user-claims.js';

export interface MetadataOptions {
  gate: Gate;
  runtimeUrl: string;
  /** Whether clients may register themselves. */
  registration: boolean;
  /** Whether assertions of identity providers are accepted. */
  idAssertions: boolean;
  /** Whether a client's id may be the URL of its document. */
  clientDocuments: boolean;
  /** Whether only pushed authorization requests are accepted. */
  pushedOnly: boolean;
  /** Whether only tokens that are bound to a key are issued and accepted. */
  boundOnly: boolean;
}

/**
 * The metadata of the authorization server (RFC 8414), which is an OpenID provider (OpenID Connect Discovery 1.0), and of its protected
 * resources (RFC 9728).
 */
export function metadataEndpoints({ gate, ...options }: MetadataOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const publish = (path: string, document: (name: string | undefined) => object) => {
    const open: RequestHandler = async (request, response, next) => {
      response.locals.route = path;
      response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' });
      await gate(request, response, 'public', 'public');
      next();
    };
    router.get(path, open, (request, response) => {
      const { server } = request.params;
      response.json(document(typeof server === 'string' ? server : undefined));
    });
    router.all(path, open, () => {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    });
  };
  publish('/.well-known/oauth-authorization-server', () => authorizationServer(options));
  publish('/.well-known/openid-configuration', () => authorizationServer(options));
  publish('/.well-known/oauth-protected-resource', () =>
    protectedResource(options, options.runtimeUrl, 'Millwright runtime'),
  );
  publish('/.well-known/oauth-protected-resource/api/v1/mcp/:server/mcp', (server = '') => {
    // Answers for every well-formed name, so that the answers do not disclose which servers exist.
    if (!/^[\w-]{1,100}$/.test(server)) throw new AppError('not_found');
    return protectedResource(options, `${options.runtimeUrl}/api/v1/mcp/${server}/mcp`, `MCP server ${server}`);
  });
  return router;
}

/** Grant profile of ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant §7.2). */
const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** Metadata of the authorization server (RFC 8414 §2, OpenID Connect Discovery 1.0 §3). */
function authorizationServer({
  runtimeUrl,
  registration,
  clientDocuments,
  idAssertions,
  pushedOnly,
}: Omit<MetadataOptions, 'gate'>): object {
  const at = (path: string) => `${runtimeUrl}${path}`;
  return {
    issuer: runtimeUrl,
    authorization_endpoint: at('/oauth/authorize'),
    token_endpoint: at('/oauth/token'),
    device_authorization_endpoint: at('/oauth/device_authorization'),
    pushed_authorization_request_endpoint: at('/oauth/par'),
    require_pushed_authorization_requests: pushedOnly,
    ...(registration && { registration_endpoint: at('/oauth/register') }),
    revocation_endpoint: at('/oauth/revoke'),
    introspection_endpoint: at('/oauth/introspect'),
    jwks_uri: at('/.well-known/jwks.json'),
    userinfo_endpoint: at('/oauth/userinfo'),
    end_session_endpoint: at('/oauth/end_session'),
    scopes_supported: [...IDENTITY_SCOPES, ...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      ...['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE, TOKEN_EXCHANGE],
      ...(idAssertions ? [JWT_BEARER] : []),
    ],
    ...(idAssertions && { authorization_grant_profiles_supported: [ID_JAG_PROFILE] }),
    token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claim_types_supported: ['normal'],
    claims_supported: CLAIMS,
    prompt_values_supported: PROMPT_VALUES,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    // Without this line, clients would assume the default `true`: that the server fetches request objects from URLs. The request_uri of a
    // pushed request needs no fetch.
    request_uri_parameter_supported: false,
  };
}

/** Metadata of a protected resource (RFC 9728 §2). */
function protectedResource(
  { runtimeUrl, boundOnly }: Omit<MetadataOptions, 'gate'>,
  resource: string,
  name: string,
): object {
  return {
    resource,
    authorization_servers: [runtimeUrl],
    scopes_supported: resource === runtimeUrl ? SCOPES : MCP_SCOPES,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    dpop_bound_access_tokens_required: boundOnly,
    resource_name: name,
  };
}
