const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * A URI without spaces, control characters and backslashes. Such characters are not allowed, because URL parsers convert them in different
 * ways, while this server compares URIs as text.
 */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]{1,2000}$/;

/** Maximum number of redirect URIs of a self-registered client. Known clients have up to six. */
const MAX_URIS = 10;
const MAX_URI_LENGTH = 512;
const MAX_URIS_LENGTH = 5 * MAX_URI_LENGTH;

function parse(text: string): URL | undefined {
  const url = PLAIN.test(text) && !text.includes('#') && URL.canParse(text) ? new URL(text) : undefined;
  return url && url.username === '' && url.password === '' ? url : undefined;
}

/** Whether a URI leads to the user's own machine over http (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const url = parse(uri);
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/**
 * Whether a self-registered client may have this redirect URI. Allowed are https, http on loopback, a private-use scheme with a dot (RFC
 * 8252 §7), and the scheme of a known application in `appSchemes`, with a host.
 */
function isRegistrableUri(text: unknown, appSchemes: readonly string[]): text is string {
  const url = typeof text === 'string' ? parse(text) : undefined;
  if (!url || typeof text !== 'string') return false;
  if (url.protocol === 'https:' || isLoopback(text)) return true;
  if (/^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol)) return true;
  return url.host !== '' && appSchemes.includes(url.protocol.slice(0, -1));
}

/** Returns the URIs that a self-registered client may have, and drops the other URIs. */
export const registrableUris = (uris: readonly unknown[], appSchemes: readonly string[]): string[] =>
  uris.filter((uri) => isRegistrableUri(uri, appSchemes));

/** Whether a self-registered client may have all these redirect URIs, and they are within the limits of number and length. */
export function areRegistrableUris(uris: readonly unknown[], appSchemes: readonly string[]): uris is string[] {
  const good = registrableUris(uris, appSchemes);
  const isShort = good.every(({ length }) => length <= MAX_URI_LENGTH) && good.join('').length <= MAX_URIS_LENGTH;
  return isShort && good.length === uris.length && good.length > 0 && good.length <= MAX_URIS;
}

/** Whether a URI equals a registered URI. The port of loopback addresses may differ, because the system chooses it (RFC 8252 §7.3). */
export function matchesRedirectUri(registered: string, given: string): boolean {
  if (registered === given) return true;
  return isLoopback(registered) && isLoopback(given) && withoutPort(registered) === withoutPort(given);
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1');
}
