/** Error codes of the OAuth endpoints (RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2, RFC 8628 §3.5, RFC 9449 §5 and §8, OpenID Connect Core 1.0 §3.1.2.6). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_response_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'request_not_supported'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token';

/**
 * A failure for which OAuth defines an error code. `description` is a constant text for the developer of the client.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** Status: 401 when the client could not be authenticated, and 400 for everything else (RFC 6749 §5.2). */
  readonly status: 400 | 401;
  readonly code: OAuthErrorCode;
  readonly description: string;
  /** Whether the client used HTTP Basic. A 401 must then have a Basic challenge. */
  readonly usedBasic: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: OAuthErrorCode,
    description: string,
    usedBasic = false,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${code}: ${description}`);
    this.code = code;
    this.description = description;
    this.usedBasic = usedBasic;
    this.headers = headers;
    this.status = code === 'invalid_client' ? 401 : 400;
  }
}
