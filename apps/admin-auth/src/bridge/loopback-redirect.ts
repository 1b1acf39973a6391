/** `http`, one of three hosts written out, and a port: what other spellings of loopback mean, parsers do not agree on. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):([1-9]\d{0,4})(?=[/?]|$)/;
const RESERVED = ['code', 'state', 'error'];

/**
 * Where a bridge on the same machine listens (RFC 8252 §7.3, with the port required), exactly as it was sent. `undefined` for
 * everything else.
 */
export function loopbackRedirect(text: string): string | undefined {
  const [, host, port] = LOOPBACK.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || text.length > 2_000) return undefined;
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\#@]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isItself = url.hostname === host && Number(url.port || 80) === Number(port) && url.username === '';
  return isItself && !RESERVED.some((name) => url.searchParams.has(name)) ? text : undefined;
}

/** The redirect with an answer in its query. */
export function withAnswer(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`;
}
