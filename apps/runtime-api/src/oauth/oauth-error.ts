/** Error codes of the token, revocation and introspection endpoints (RFC 6749 §5.2, RFC 8707 §2). */
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
  | 'invalid_client_metadata';

/** A refusal in the protocol's own words. `description` is a constant text for the client's developer. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** 401 for a client that failed to authenticate, 400 for everything else (RFC 6749 §5.2). */
  readonly status: 400 | 401;

  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    /** The client used HTTP Basic, so a 401 must challenge with it. */
    readonly usedBasic = false,
  ) {
    super(`${code}: ${description}`);
    this.status = code === 'invalid_client' ? 401 : 400;
  }
}
