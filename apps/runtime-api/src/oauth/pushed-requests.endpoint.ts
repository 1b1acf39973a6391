import type { Gate } from '@millwright/http';
import type { VerifyProof } from '@millwright/auth/dpop';
import { OAuthError, oauthFormEndpoint } from '@millwright/http/protocol';
import type { Router } from 'express';
import { parseAuthorization, requireRecipient, UntrustedRequest } from './authorization-request.js';
import { PUSHED_SECONDS, type AuthorizationStore } from './authorizations.store.js';
import { queryOf, requireForm, type AuthenticateClient, type Form } from './client-authentication.js';
import type { FindClient } from './client-documents.js';
import type { CountClient } from './client-limits.js';
import type { Client } from './clients.store.js';
import type { ReadHint } from './id-token-hints.js';
import { readProvenKey } from './proofs.js';

export interface PushedRequestsOptions {
  gate: Gate;
  authenticate: AuthenticateClient;
  findClient: FindClient;
  authorizations: AuthorizationStore;
  readHint: ReadHint;
  verifyProof: VerifyProof;
  countClient: CountClient;
  runtimeUrl: string;
}

/**
 * `POST /oauth/par` (RFC 9126): accepts an authorization request from the client itself. A browser can then start the request by its
 * `request_uri` once.
 */
export function pushedRequestsEndpoint(options: PushedRequestsOptions): Router {
  const { gate, authenticate, findClient, authorizations, readHint, runtimeUrl } = options;
  return oauthFormEndpoint({
    paths: ['/oauth/par'],
    cors: true,
    gate,
    answer: async (request, response) => {
      const form = requireForm(request);
      const named = form.values['client_id'] ?? '';
      // Reads and stores the client's document, so that `authenticate` finds the client.
      if (named.startsWith('https://')) await findClient(named, request.ip ?? '');
      const client = await authenticate(request, form);
      await options.countClient(client, request, response);
      const parameters = parametersOf(form, client);
      const recipient = await requireRecipient(parameters, () => Promise.resolve(client)).catch(asOAuthError);
      const authorization = await readHint(parseAuthorization(parameters, recipient, runtimeUrl), parameters);
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

/**
 * Converts the pushed form to URL parameters.
 * @throws OAuthError invalid_request when the form contains `request_uri` or `request` (RFC 9126 §2.1)
 */
function parametersOf({ values, resources }: Form, client: Client): URLSearchParams {
  if (values['request_uri'] !== undefined) throw new OAuthError('invalid_request', 'request_uri cannot be pushed');
  if (values['request'] !== undefined) throw new OAuthError('invalid_request', 'request objects are not supported');
  return queryOf({ values, resources }, client);
}

function asOAuthError(error: unknown): never {
  throw error instanceof UntrustedRequest ? new OAuthError('invalid_request', error.message) : error;
}
