import { OAuthError } from '@millwright/http/protocol';

/**
 * The resources of a token (RFC 8707 §2), in the form of its `aud` claim: the whole runtime API or some of its MCP endpoints.
 *
 * @throws OAuthError invalid_target for too many resources, or a URL that is not a resource of this installation
 */
export function parseResources(values: readonly string[], runtimeUrl: string): string[] {
  if (values.length > MAX_RESOURCES) throw new OAuthError('invalid_target', 'too many resources are named');
  return [...new Set(values.map((value) => parseResource(value, runtimeUrl)))];
}

const MAX_RESOURCES = 8;

function parseResource(value: string, runtimeUrl: string): string {
  const refused = new OAuthError('invalid_target', 'resource is not served here');
  if (value.length > 2_000 || value.includes('#') || !URL.canParse(value)) throw refused;
  const { origin, pathname, search, username, password } = new URL(value);
  const resource = `${origin}${pathname}`.replace(/\/$/, '');
  const isOurs =
    resource === runtimeUrl || (origin === runtimeUrl && /^\/api\/v1\/mcp\/[\w-]{1,100}\/mcp\/?$/.test(pathname));
  if (!isOurs || search !== '' || username !== '' || password !== '') throw refused;
  return resource;
}

/** The resources that a token request names. @throws OAuthError invalid_target when one of them was not granted (RFC 8707 §2.2) */
export function narrowedResources(asked: readonly string[], granted: readonly string[]): string[] {
  if (asked.length === 0) return [...granted];
  if (granted.length > 0 && asked.some((resource) => !granted.includes(resource)))
    throw new OAuthError('invalid_target', 'resource was not part of the authorization');
  return [...asked];
}
