import type { AddressLimit, Gate } from '@millwright/http';
import type { VerifyProof } from '@millwright/auth/dpop';
import { AppError } from '@millwright/errors';
import { OAuthError, oauthFormEndpoint } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import type { Request, Response, Router } from 'express';
import { parseAuthorization, requireRecipient, UntrustedRequest } from './authorization-request.js';
import { PUSHED_SECONDS, type AuthorizationStore } from './authorizations.store.js';
import { requireForm, type AuthenticateClient, type Form } from './client-authentication.js';
import type { FindClient } from './client-documents.js';
import type { Client } from './clients.store.js';
import { readProvenKey } from './proofs.js';

export interface PushedRequestsOptions {
  gate: Gate;
  authenticate: AuthenticateClient;
  findClient: FindClient;
  authorizations: AuthorizationStore;
  limiter: RateLimiter;
  verifyProof: VerifyProof;
  /** Limit of requests that an IP address starts or pushes without the secret of a client from Settings. */
  limit: AddressLimit;
  runtimeUrl: string;
}

/** Requests per minute that a client from Settings may push. Its servers push for all users from few IP addresses. */
const PUSHES = { name: 'oauth-par', limit: 300 } as const;

/**
 * `POST /oauth/par` (RFC 9126): accepts an authorization request from the client itself. The browser then starts the request by its
 * `request_uri`, once.
 */
export function pushedRequestsEndpoint(options: PushedRequestsOptions): Router {
  const { gate, authenticate, findClient, authorizations, runtimeUrl } = options;
  return oauthFormEndpoint({
    paths: ['/oauth/par'],
    cors: true,
    gate,
    answer: async (request, response) => {
      const form = requireForm(request);
      const named = form.values['client_id'] ?? '';
      // Reading the document makes its client known to the authentication below.
      if (named.startsWith('https://')) await findClient(named, request.ip ?? '');
      const client = await authenticate(request, form);
      await count(options, client, request, response);
      const parameters = parametersOf(form, client);
      const recipient = await requireRecipient(parameters, () => Promise.resolve(client)).catch(asOAuthError);
      const authorization = parseAuthorization(parameters, recipient, runtimeUrl);
      const proven = await readProvenKey(options.verifyProof, request);
      const { jkt = proven } = authorization;
      if (proven !== undefined && proven !== jkt)
        throw new OAuthError('invalid_dpop_proof', 'the proof is by another key than dpop_jkt names');
      return {
        status: 201,
        body: { request_uri: await authorizations.push({ ...authorization, jkt }), expires_in: PUSHED_SECONDS },
      };
    },
  });
}

async function count({ limiter, limit }: PushedRequestsOptions, client: Client, request: Request, response: Response) {
  if (client.kind !== 'settings' || client.auth_method === 'none') {
    await limit(request, response);
    return;
  }
  const { admitted, resetAt } = await limiter.consume(PUSHES, client.id);
  if (!admitted)
    throw new AppError('rate_limited', { retryAfter: Math.max(1, resetAt - Math.floor(Date.now() / 1_000)) });
}

/** The pushed parameters in the form of a browser's request. @throws OAuthError invalid_request (RFC 9126 §2.1) */
function parametersOf({ values, resources }: Form, client: Client): URLSearchParams {
  if (values['request_uri'] !== undefined) throw new OAuthError('invalid_request', 'request_uri cannot be pushed');
  if (values['request'] !== undefined) throw new OAuthError('invalid_request', 'request objects are not supported');
  return new URLSearchParams([
    ...Object.entries({ ...values, client_id: client.client_id }),
    ...resources.map((resource): [string, string] => ['resource', resource]),
  ]);
}

function asOAuthError(error: unknown): never {
  throw error instanceof UntrustedRequest ? new OAuthError('invalid_request', error.message) : error;
}
