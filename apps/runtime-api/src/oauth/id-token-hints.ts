import type { createIdTokenHintVerifier } from '@millwright/auth/id-tokens';
import { isUuid } from '@millwright/db';
import { OAuthError } from '@millwright/http/protocol';
import type { NewAuthorization } from './authorizations.store.js';

/**
 * Adds to the authorization request the user whom its `id_token_hint` names.
 * @throws OAuthError invalid_request for an invalid hint, or a hint that was issued to another client
 */
export type ReadHint = (authorization: NewAuthorization, query: URLSearchParams) => Promise<NewAuthorization>;

/**
 * Reads the id token by which a client names the user that it expects (OpenID Connect Core 1.0 §3.1.2.1). Only an id token that this server
 * issued to the same client is accepted. An expired id token is accepted too.
 */
export const createHintReader =
  (verify: ReturnType<typeof createIdTokenHintVerifier>): ReadHint =>
  async (authorization, query) => {
    const token = query.get('id_token_hint');
    if (!authorization.openId || token === null || token === '') return authorization;
    const hint = await verify(token);
    if (!hint || !isUuid(hint.userId) || hint.clientId !== authorization.client.client_id)
      throw new OAuthError('invalid_request', 'id_token_hint is no id token of this server for this client');
    return { ...authorization, hintedUserId: hint.userId };
  };
