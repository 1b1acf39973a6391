const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** URL parsers repair blanks, control characters and backslashes each in its own way; URIs are compared as texts. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]{1,2000}$/;

function parse(text: string): URL | undefined {
  const url = PLAIN.test(text) && !text.includes('#') && URL.canParse(text) ? new URL(text) : undefined;
  return url && url.username === '' && url.password === '' ? url : undefined;
}

/** Whether it leads to the user's own machine over http (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const url = parse(uri);
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/** What a client that comes by itself may register: https, http on loopback, or a private-use scheme with a dot (RFC 8252 §7). */
export function isRegistrableUri(text: unknown): text is string {
  const url = typeof text === 'string' ? parse(text) : undefined;
  if (!url || typeof text !== 'string') return false;
  return url.protocol === 'https:' || isLoopback(text) || /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol);
}

/** Exactly, but for the port of loopback addresses, which the system gives (RFC 8252 §7.3). */
export function matchesRedirectUri(registered: string, given: string): boolean {
  if (registered === given) return true;
  return isLoopback(registered) && isLoopback(given) && withoutPort(registered) === withoutPort(given);
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1');
}
