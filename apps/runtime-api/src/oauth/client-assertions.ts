import { AppError } from '@millwright/errors';
import { OAuthError } from '@millwright/http/protocol';
import { decodeJwt, jwtVerify } from 'jose';
import type { AssertionStore } from './assertions.store.js';
import { CLIENT_ALGORITHMS, ClientKeys, type FindClientKey } from './client-keys.js';
import type { Client } from './clients.store.js';

/** `client_assertion_type` of a JWT (RFC 7523 §2.2). */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const MAX_LENGTH = 8_192;
/** Maximum age of an accepted assertion, in seconds. */
export const ASSERTION_MAX_AGE_S = 300;
/** Tolerated clock difference between a client and this installation, in seconds. */
export const CLOCK_SKEW_S = 30;

/**
 * Reads the assertion that authenticates a client, and the id of the client in the assertion.
 * @throws OAuthError invalid_request for a wrong or missing `client_assertion_type`, or an assertion that is missing or too long
 */
export function readClientAssertion({
  values,
}: {
  values: Readonly<Record<string, string>>;
}): { token: string; clientId: string | undefined } | undefined {
  const { client_assertion: token, client_assertion_type: type } = values;
  if (token === undefined && type === undefined) return undefined;
  if (token === undefined || type !== CLIENT_ASSERTION_TYPE)
    throw new OAuthError('invalid_request', `client_assertion needs client_assertion_type ${CLIENT_ASSERTION_TYPE}`);
  if (token.length > MAX_LENGTH) throw new OAuthError('invalid_request', 'client_assertion is too long');
  try {
    return { token, clientId: decodeJwt(token).sub };
  } catch {
    return { token, clientId: undefined }; // a text that is not a JWT names no client
  }
}

export interface ClientAssertionOptions {
  findKey: FindClientKey;
  assertions: AssertionStore;
  /** Issuer of this authorization server. The audience of an assertion must be the issuer or the URL of an endpoint. */
  runtimeUrl: string;
}

/** Verifies that an assertion is signed by the client's key, addressed to this server, recent, and not used before (RFC 7523 §3). */
export function createClientAssertionVerifier({ findKey, assertions, runtimeUrl }: ClientAssertionOptions) {
  // The third audience is for pushed requests (RFC 9126 §2).
  const audiences = [runtimeUrl, `${runtimeUrl}/oauth/token`, `${runtimeUrl}/oauth/par`];

  async function verify({ client_id: id, jwks, jwks_uri }: Client, token: string) {
    try {
      const keys = ClientKeys.parse({ jwks: jwks ?? undefined, jwks_uri: jwks_uri ?? undefined });
      const { payload } = await jwtVerify(token, findKey(keys), {
        issuer: id,
        subject: id,
        audience: audiences,
        algorithms: CLIENT_ALGORITHMS,
        clockTolerance: CLOCK_SKEW_S,
        requiredClaims: ['exp', 'jti'],
      });
      return payload;
    } catch (error) {
      if (error instanceof AppError) throw error;
      return undefined; // the assertion is invalid, or its keys cannot be read
    }
  }

  return async (client: Client, token: string): Promise<boolean> => {
    if (client.auth_method !== 'private_key_jwt') return false;
    const { aud, exp = 0, iat = 0, jti } = (await verify(client, token)) ?? {};
    const now = Date.now() / 1_000;
    // Refuses a list of several audiences, because another server in the list could use the assertion here.
    const isOurs = typeof aud === 'string' || aud?.length === 1;
    const [young, past] = [now + ASSERTION_MAX_AGE_S + CLOCK_SKEW_S, now + CLOCK_SKEW_S];
    if (!isOurs || exp > young || iat > past) return false;
    if (typeof jti !== 'string' || jti === '' || jti.length > 500) return false;
    return assertions.use(client.client_id, jti, new Date((exp + CLOCK_SKEW_S) * 1_000));
  };
}
export type VerifyClientAssertion = ReturnType<typeof createClientAssertionVerifier>;
