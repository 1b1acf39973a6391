import type { EgressFetch } from '@millwright/egress';
import { z } from 'zod';
import type { ClientAuth } from './server-auth.js';

/** The client that this installation is at the authorization server of another party. */
export interface TokenClient {
  token_endpoint: string;
  client_id: string;
  client_auth: ClientAuth;
  /** Secret of the client in clear text. */
  client_secret?: string | undefined;
}

/** Characters that a token in a header may have (RFC 6750 §2.1, and characters that real servers add). */
const Token = z
  .string()
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

const Tokens = z.object({
  access_token: Token,
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().min(0).max(1e9).optional().catch(undefined),
  refresh_token: Token.optional(),
  scope: z.string().max(4_000).optional().catch(undefined),
});
export type Tokens = z.output<typeof Tokens>;

const Refusal = z.object({ error: z.string().max(200) });

/** Error for a token request that the authorization server refused (RFC 6749 §5.2). */
export class TokenEndpointError extends Error {
  override name = 'TokenEndpointError';
  readonly code: string;

  constructor(code: string) {
    super('The authorization server refused a token.');
    this.code = code;
  }
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };

/**
 * Requests tokens. Errors contain no part of the answer, which may contain secrets.
 *
 * @throws TokenEndpointError, EgressError, Error for an answer without a token
 */
export async function askTokens(
  fetch: EgressFetch,
  client: TokenClient,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const { headers, body } = authenticated(client, parameters);
  const response = await fetch(client.token_endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body,
    redirect: 'error',
    ...(signal && { signal }),
    profile: LIMITS,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const refusal = Refusal.safeParse(answer);
  if (refusal.success && response.status < 500) throw new TokenEndpointError(refusal.data.error);
  const { data } = Tokens.safeParse(response.status === 200 ? answer : undefined);
  if (!data) throw new Error(`The token endpoint answered ${response.status} without a token.`);
  return data;
}

/** Revokes a token at its authorization server (RFC 7009 §2.1). */
export async function revokeToken(
  fetch: EgressFetch,
  endpoint: string,
  client: TokenClient,
  token: string,
): Promise<void> {
  const { headers, body } = authenticated(client, { token });
  const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'error', profile: LIMITS });
  await response.body?.cancel();
}

function authenticated({ client_id, client_auth, client_secret }: TokenClient, parameters: Record<string, string>) {
  const body = new URLSearchParams(parameters);
  const isBasic = client_auth === 'client_secret_basic' && client_secret !== undefined;
  if (!isBasic) body.set('client_id', client_id);
  if (client_auth === 'client_secret_post' && client_secret !== undefined) body.set('client_secret', client_secret);
  const pair = `${formEncoded(client_id)}:${formEncoded(client_secret ?? '')}`;
  const headers: Record<string, string> = isBasic
    ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    : {};
  return { headers, body };
}

/** Encodes a text for a form (RFC 6749 appendix B). */
const formEncoded = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
