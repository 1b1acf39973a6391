import { OAuthError } from './oauth-error.js';

/**
 * What the tokens are for (RFC 8707 §2): area C as a whole or one of its MCP endpoints, in the form in which it stands in `aud`.
 *
 * @throws OAuthError invalid_target
 */
export function parseResources(values: readonly string[], runtimeUrl: string): string[] {
  return [...new Set(values.map((value) => parseResource(value, runtimeUrl)))];
}

function parseResource(value: string, runtimeUrl: string): string {
  const refused = new OAuthError('invalid_target', 'resource is not served here');
  if (value.length > 2_000 || value.includes('#') || !URL.canParse(value)) throw refused;
  const { origin, pathname, search, username, password } = new URL(value);
  const resource = `${origin}${pathname}`.replace(/\/$/, '');
  const isOurs =
    resource === runtimeUrl || (origin === runtimeUrl && /^\/api\/v1\/mcp\/[\w-]+\/mcp\/?$/.test(pathname));
  if (!isOurs || search !== '' || username !== '' || password !== '') throw refused;
  return resource;
}

/** The resources asked for at the token endpoint: some of those granted (RFC 8707 §2.2). @throws OAuthError invalid_target */
export function narrowedResources(asked: readonly string[], granted: readonly string[]): string[] {
  if (asked.length === 0) return [...granted];
  if (granted.length > 0 && asked.some((resource) => !granted.includes(resource)))
    throw new OAuthError('invalid_target', 'resource was not part of the authorization');
  return [...asked];
}
