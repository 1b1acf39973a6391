import { isStorable } from '@millwright/db';
import type { Gate } from '@millwright/http';
import type { Router } from 'express';
import { z } from 'zod';
import type { ClientStore } from './clients.store.js';
import { formEndpoint } from './form-endpoint.js';
import { OAuthError } from './oauth-error.js';
import { isRegistrableUri } from './redirect-uris.js';

/** RFC 7591 §2: what we know of it. Unknown metadata is ignored and not kept. */
const Metadata = z.object({
  redirect_uris: z.array(z.unknown()),
  client_name: z.string().trim().max(200).refine(isStorable).optional(),
  token_endpoint_auth_method: z
    .enum(['client_secret_basic', 'client_secret_post', 'none'])
    .default('client_secret_basic'),
  /** Without the code there is nothing to refresh, and nothing that `response_types` could be (§2.1). */
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .refine((types) => types.includes('authorization_code'))
    .default(['authorization_code']),
  response_types: z.array(z.literal('code')).default(['code']),
});

/** `POST /oauth/register` (RFC 7591 §3): a client introduces itself. It has no owner: each grant is its consenting user's. */
export function registerEndpoint({ gate, clients }: { gate: Gate; clients: ClientStore }): Router {
  return formEndpoint({
    path: '/oauth/register',
    gate,
    answer: async (request) => {
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
      const redirectUris = requireUris(redirect_uris);
      const described = { name: client_name || 'An application without a name', redirectUris, scopes: ['*'] };
      const { clientId, secret, issuedAt } = await clients.register(described, token_endpoint_auth_method);
      const body = {
        client_id: clientId,
        client_id_issued_at: Math.floor(issuedAt.getTime() / 1_000),
        ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
        redirect_uris: redirectUris,
        client_name: described.name,
        token_endpoint_auth_method,
        grant_types,
        response_types,
      };
      return { status: 201, body };
    },
  });
}

export function requireUris(uris: readonly unknown[]): string[] {
  const good = uris.filter(isRegistrableUri);
  if (good.length === 0 || good.length !== uris.length || uris.length > 20) {
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be 1 to 20 addresses: https, http on loopback, or a scheme of the application with a dot',
    );
  }
  return good;
}
