import { OAuthError } from './oauth-error.js';

/** The scopes asked for, all of those allowed when none are (RFC 6749 §3.3). @throws OAuthError invalid_scope */
export function narrowedScopes(asked: string | undefined, allowed: ReadonlySet<string>): string[] {
  const wanted = [...new Set(asked?.split(' ').filter((scope) => scope !== '' && scope !== 'offline_access') ?? [])];
  if (wanted.some((scope) => !allowed.has(scope))) {
    throw new OAuthError('invalid_scope', 'a scope is unknown or not granted to this client');
  }
  return wanted.length > 0 ? wanted : [...allowed];
}
