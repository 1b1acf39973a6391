/**
 * A loopback address: `http`, one of three exact hosts, and a port. Other spellings of loopback are refused, because parsers disagree about
 * them.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):([1-9]\d{0,4})(?=[/?]|$)/;
const RESERVED = ['code', 'state', 'error'];

/**
 * Returns the address unchanged if it is the address of a bridge on the same machine (RFC 8252 §7.3, with the port required); returns
 * `undefined` for any other address.
 */
export function loopbackRedirect(text: string): string | undefined {
  const [, host, port] = LOOPBACK.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || text.length > 2_000) return undefined;
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\#@]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isItself = url.hostname === host && Number(url.port || 80) === Number(port) && url.username === '';
  return isItself && !RESERVED.some((name) => url.searchParams.has(name)) ? text : undefined;
}

/** Adds the parameters of an answer to the query of the redirect address. */
export function withAnswer(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`;
}
