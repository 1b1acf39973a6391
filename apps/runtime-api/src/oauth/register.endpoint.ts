import { isStorable } from '@millwright/db';
import type { AddressLimit, Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint } from '@millwright/http/protocol';
import type { Router } from 'express';
import { z } from 'zod';
import { ClientKeys } from './client-keys.js';
import { DEFAULT_GRANT_TYPES, SELF_GRANT_TYPES, type ClientStore } from './clients.store.js';
import { areRegistrableUris } from './redirect-uris.js';

/** The supported part of RFC 7591 §2. Other metadata is ignored. */
const Metadata = z.object({
  redirect_uris: z.array(z.unknown()),
  client_name: z.string().trim().max(200).refine(isStorable).optional(),
  token_endpoint_auth_method: z
    .enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'])
    .default('client_secret_basic'),
  /**
   * `authorization_code` is required, because refresh tokens and the response type depend on it (§2.1). A client that names no grant type
   * gets both types, because such clients expect a refresh token; the answer states both types (§3.2.1). Other grant types are dropped, as
   * §2 permits.
   */
  grant_types: z
    .array(z.string().max(100))
    .max(10)
    .refine((types) => types.includes('authorization_code'))
    .default([...DEFAULT_GRANT_TYPES])
    .transform((types) => SELF_GRANT_TYPES.filter((type) => types.includes(type))),
  response_types: z
    .array(z.string().max(100))
    .max(10)
    .refine((types) => types.includes('code'))
    .default(['code'])
    .transform(() => ['code']),
});

export interface RegisterOptions {
  gate: Gate;
  /** Limit per IP address. The limit of the gate applies too. */
  limit: AddressLimit;
  clients: ClientStore;
  /** Schemes of applications that may be in redirect URIs. */
  appSchemes: readonly string[];
}

/** `POST /oauth/register` (RFC 7591 §3): a client registers itself. It has no owner; each grant belongs to the user who consented. */
export function registerEndpoint({ gate, limit, clients, appSchemes }: RegisterOptions): Router {
  return oauthFormEndpoint({
    paths: ['/oauth/register'],
    cors: true,
    gate,
    answer: async (request, response) => {
      await limit(request, response);
      if (!request.is('application/json')) throw new OAuthError('invalid_client_metadata', 'the body must be JSON');
      const parsed = Metadata.safeParse(request.body);
      if (!parsed.success) {
        const at = parsed.error.issues[0]?.path.join('.') ?? '';
        throw new OAuthError(
          at === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
          `${at || 'the body'} is missing or not supported`,
        );
      }
      const { redirect_uris, client_name, token_endpoint_auth_method, grant_types, response_types } = parsed.data;
      const redirectUris = requireUris(redirect_uris, appSchemes);
      const keys = token_endpoint_auth_method === 'private_key_jwt' ? requireKeys(request.body) : undefined;
      const name = client_name || 'An application without a name';
      const authMethod = token_endpoint_auth_method;
      const described = { name, redirectUris, scopes: ['*'], grantTypes: grant_types, authMethod, keys };
      const { clientId, secret, issuedAt } = await clients.register(described);
      const body = {
        client_id: clientId,
        client_id_issued_at: Math.floor(issuedAt.getTime() / 1_000),
        ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
        redirect_uris: redirectUris,
        client_name: described.name,
        token_endpoint_auth_method,
        ...keys,
        grant_types,
        response_types,
      };
      return { status: 201, body };
    },
  });
}

function requireKeys(body: unknown): ClientKeys {
  const { data } = ClientKeys.safeParse(body);
  if (data) return data;
  throw new OAuthError(
    'invalid_client_metadata',
    'private_key_jwt needs either jwks, with 1 to 5 public keys (P-256, Ed25519 or RSA) in at most 4096 characters, or jwks_uri, an https address',
  );
}

function requireUris(uris: readonly unknown[], appSchemes: readonly string[]): string[] {
  if (!areRegistrableUris(uris, appSchemes)) {
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be 1 to 10 addresses of at most 512 characters, 2560 together: https, http on loopback, a scheme of the application with a dot, or one that the operator allows (OAUTH_APP_SCHEMES)',
    );
  }
  return uris;
}
