import type { Principal } from '@millwright/auth';

/**
 * The claims about a user that the scopes allow (OpenID Connect Core 1.0 §5.4). `email_verified` is left out, because the user or an admin
 * may have entered the address without a check.
 */
export const claimsOf = ({ id, name, email }: Principal['user'], scopes: ReadonlySet<string>) => ({
  sub: id,
  ...(scopes.has('profile') && { name }),
  ...(scopes.has('email') && { email }),
});

/** The claims of id tokens and of the userinfo endpoint. */
export const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'name', 'email'];
